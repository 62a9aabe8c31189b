/**
 * What the transfers of a campaign that are in an archive amount to, by their kind. With the
 * transfers that are left, this makes up the books of the campaign. `carry_transfers` writes it in
 * the statement that removes them.
 */
export const carriedBalance = [
  `CREATE TABLE carried_balance (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    kind text NOT NULL,
    transfers bigint NOT NULL,
    amount numeric(20, 2) NOT NULL,
    released numeric(20, 2) NOT NULL,
    -- When the first and the last of them were made.
    first_at timestamptz(3) NOT NULL,
    last_at timestamptz(3) NOT NULL,
    CONSTRAINT carried_balance_pkey PRIMARY KEY (company_id, campaign_id, kind),
    CONSTRAINT carried_balance_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT carried_balance_kind CHECK (
      kind IN ('hold', 'settle', 'release', 'reverse', 'screen_out', 'bonus')
    ),
    CONSTRAINT carried_balance_positive CHECK (transfers > 0 AND amount > 0),
    CONSTRAINT carried_balance_released
      CHECK (released >= 0 AND (released = 0 OR kind = 'settle')),
    CONSTRAINT carried_balance_times CHECK (first_at <= last_at)
  )`,
  `COMMENT ON TABLE carried_balance IS 'distributed by company_id'`,
];
