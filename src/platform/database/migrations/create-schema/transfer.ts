/**
 * The ledger: money that moves from one account of an environment to another. The accounts are
 * `company`, whose balance is what its campaigns cost, `held`, what those who are answering are
 * promised at most, and `respondents`, what they have earned. A transfer has one amount, and its
 * kind decides the account that it is taken from and the one that it goes to (ACCOUNTS_OF in
 * ledger.types.ts), so the books balance by its shape. What a settlement leaves of the
 * hold goes back with it, from `held` to `company`, as in a two-phase transfer; a `release` is
 * written only where nothing is settled. A `screen_out` and a `bonus` pay at once, so nothing is
 * held for them. A `reverse` takes back all that was paid.
 *
 * A participation has at most one transfer of each kind. None is ever changed, and one is removed
 * only into the balance that its campaign carries forward.
 */
export const transfer = [
  `CREATE TABLE transfer (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    kind transfer_kind NOT NULL,
    amount transfer_amount NOT NULL,
    -- What a settlement gives back to the company of what was held.
    released released_amount NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- Begins with the participation, so that a list of a company's transfers cannot use this key.
    CONSTRAINT transfer_pkey PRIMARY KEY (participation_id, company_id, kind),
    CONSTRAINT transfer_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id)
      REFERENCES participation (company_id, campaign_id, participation_id),
    CONSTRAINT transfer_released CHECK (released = 0 OR kind = 'settle')
  )`,
  `COMMENT ON TABLE transfer IS 'distributed by company_id'`,
  // These two begin with expressions, so that only the lists can use them. Without statistics,
  // PostgreSQL would also look for a participation's transfers here instead of in the primary key,
  // and read those of the whole company or campaign.
  `CREATE INDEX transfer_list ON transfer ((company_id::text::uuid), created_at)`,
  `CREATE INDEX transfer_of_campaign ON transfer ((campaign_id + 0), created_at)`,
];
