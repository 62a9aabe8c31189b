/**
 * What the tally of a campaign is also kept by, besides the cells of quotas: the answers to the
 * questions of its banners and margins. The cells of a tabulation are those of its number:
 * `tabulated_cells` says which.
 */
export const tabulation = [
  `CREATE TABLE tabulation (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    number smallint NOT NULL,
    -- In their order, such as [{"question": "gender"}, {"quotas": ["young", "old"]}].
    variables jsonb NOT NULL,
    -- Submissions up to after_seq were in the tally before. Those up to filled_seq are in the cells.
    after_seq bigint NOT NULL,
    filled_seq bigint NOT NULL,
    -- Its cells are removed bit by bit.
    removed boolean NOT NULL DEFAULT false,
    CONSTRAINT tabulation_pkey PRIMARY KEY (company_id, campaign_id, number),
    CONSTRAINT tabulation_number CHECK (number BETWEEN 1 AND 64),
    CONSTRAINT tabulation_filled CHECK (filled_seq <= after_seq)
  )`,
  `COMMENT ON TABLE tabulation IS 'distributed by company_id'`,
  `CREATE INDEX tabulation_unfinished ON tabulation (company_id)
    WHERE removed OR filled_seq < after_seq`,
];
