/**
 * What API keys may commit, and what they have committed. Only companies that limit a key have rows
 * here.
 *
 * `key_limit` has copies of the limits of `api_key`, which a cluster keeps elsewhere. Keys that
 * replaced each other in rotations have the same spender, and spend together.
 */
export const spending = [
  `CREATE TABLE key_limit (
    company_id uuid NOT NULL,
    key_id uuid NOT NULL,
    spender uuid NOT NULL,
    amount numeric(12, 2),
    per text,
    approval_above numeric(12, 2),
    CONSTRAINT key_limit_pkey PRIMARY KEY (company_id, key_id),
    CONSTRAINT key_limit_complete CHECK (num_nulls(amount, per) IN (0, 2)),
    CONSTRAINT key_limit_per CHECK (per IN ('day', 'month', 'total'))
  )`,
  `COMMENT ON TABLE key_limit IS 'distributed by company_id'`,
  `CREATE INDEX key_limit_spender ON key_limit (company_id, spender)`,
  // What a spender has committed in a period, such as 2026-11-28, 2026-11 or total. Only the
  // current period of its limit is kept up to date.
  `CREATE TABLE key_spending (
    company_id uuid NOT NULL,
    spender uuid NOT NULL,
    period text NOT NULL,
    committed numeric(20, 2) NOT NULL,
    -- The limit when it was last added to: a limit that is lowered below it only refuses more.
    ceiling numeric(20, 2) NOT NULL,
    CONSTRAINT key_spending_pkey PRIMARY KEY (company_id, spender, period),
    CONSTRAINT key_spending_within_limit CHECK (committed <= ceiling),
    CONSTRAINT key_spending_not_negative CHECK (committed >= 0)
  )`,
  `COMMENT ON TABLE key_spending IS 'distributed by company_id'`,
  // Who committed what a campaign can cost, in the order in which it grew. The sum is the
  // campaign's commitment when it was last calculated.
  `CREATE TABLE campaign_charge (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    number integer NOT NULL,
    -- Null for whoever has no limit.
    spender uuid,
    -- In UTC.
    day date NOT NULL,
    amount numeric(20, 2) NOT NULL,
    CONSTRAINT campaign_charge_pkey PRIMARY KEY (company_id, campaign_id, number),
    CONSTRAINT campaign_charge_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT campaign_charge_positive CHECK (amount > 0)
  )`,
  `COMMENT ON TABLE campaign_charge IS 'distributed by company_id'`,
  `CREATE INDEX campaign_charge_spender ON campaign_charge (company_id, spender, day)
    WHERE spender IS NOT NULL`,
];
