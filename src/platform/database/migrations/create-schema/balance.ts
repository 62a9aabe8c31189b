/**
 * The money of an environment of a company that pays in advance. At every moment, `funded` is
 * `available` and the allotments of its campaigns (`campaign_progress.allotment`), of which a part
 * is held and a part is paid. A step of a respondent never writes here: `allot` moves money between
 * the two. Whoever does so has the campaign locked first, and then this row.
 */
export const balance = [
  `CREATE TABLE balance (
    company_id uuid CONSTRAINT balance_pkey PRIMARY KEY,
    is_prepaid boolean NOT NULL DEFAULT false,
    -- What no campaign has.
    available numeric(20, 2) NOT NULL DEFAULT 0,
    -- What was funded and not refunded, and "postpaid".
    funded numeric(20, 2) NOT NULL DEFAULT 0,
    -- What campaigns had paid and held when they began to use the balance, without what they had
    -- when they ceased to: the company owes it, or has paid it, apart from the balance.
    postpaid numeric(20, 2) NOT NULL DEFAULT 0,
    -- Whether it is smaller than what live campaigns can still cost.
    is_low boolean NOT NULL DEFAULT false,
    -- The number and the time of its last event.
    version integer NOT NULL DEFAULT 0,
    logged_at timestamptz NOT NULL DEFAULT '-infinity',
    CONSTRAINT balance_available_not_negative CHECK (available >= 0)
  )`,
  `COMMENT ON TABLE balance IS 'distributed by company_id'`,
  // Never changed or deleted, as transfers.
  `CREATE TABLE funding (
    company_id uuid NOT NULL,
    -- The operator's own name for it.
    reference text NOT NULL,
    kind text NOT NULL,
    amount numeric(12, 2) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT funding_pkey PRIMARY KEY (company_id, reference),
    CONSTRAINT funding_balance_fkey FOREIGN KEY (company_id) REFERENCES balance (company_id),
    CONSTRAINT funding_reference_length CHECK (char_length(reference) BETWEEN 1 AND 200),
    CONSTRAINT funding_kind CHECK (kind IN ('fund', 'refund')),
    CONSTRAINT funding_amount_range CHECK (amount > 0 AND amount <= 1000000000)
  )`,
  `COMMENT ON TABLE funding IS 'distributed by company_id'`,
  // Campaigns whose allotment is to be looked at; campaign 0 stands for the balance as a whole.
  // What waits has found too little money, until there is more.
  `CREATE TABLE allotment_due (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    due_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    is_waiting boolean NOT NULL DEFAULT false,
    -- Whether nobody can begin it meanwhile.
    is_dry boolean NOT NULL DEFAULT false,
    CONSTRAINT allotment_due_pkey PRIMARY KEY (company_id, campaign_id)
  )`,
  `COMMENT ON TABLE allotment_due IS 'distributed by company_id'`,
];
