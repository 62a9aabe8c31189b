/**
 * What the responses of each campaign add up to, for its results, and the number of the last event
 * of each company that is in it. Locking that row is the right to change the company's tally.
 *
 * The function `add_to_tally` lists the kinds. Each amount is a sum over responses by cohort, so
 * that a response can be added and taken out again.
 */
export const tally = [
  `CREATE TABLE tally_position (
    company_id uuid CONSTRAINT tally_position_pkey PRIMARY KEY,
    folded_seq bigint NOT NULL DEFAULT 0
  )`,
  `COMMENT ON TABLE tally_position IS 'distributed by company_id'`,
  `CREATE TABLE tally (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    -- The version of the question set; 0 without questions, and for what is about the campaign.
    version integer NOT NULL,
    -- The cell of a quota, for the sums over the responses that count in it; 0 for those over all.
    cell smallint NOT NULL DEFAULT 0,
    kind text NOT NULL,
    item text NOT NULL,
    key text NOT NULL,
    cohort_1 numeric NOT NULL,
    cohort_2 numeric NOT NULL,
    cohort_3 numeric NOT NULL,
    cohort_4 numeric NOT NULL,
    cohort_5 numeric NOT NULL,
    CONSTRAINT tally_pkey PRIMARY KEY (company_id, campaign_id, version, cell, kind, item, key),
    CONSTRAINT tally_campaign_progress_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign_progress (company_id, campaign_id),
    -- Ratings may be negative, and so may their sum.
    CONSTRAINT tally_not_negative CHECK (
      kind = 'rating' OR least(cohort_1, cohort_2, cohort_3, cohort_4, cohort_5) >= 0
    )
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE tally IS 'distributed by company_id'`,
];
