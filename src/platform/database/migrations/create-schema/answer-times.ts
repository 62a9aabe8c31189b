/**
 * How long those took who answered the same questions, so that a submission can be compared with
 * them. The function `refresh_answer_times` computes it from the tally.
 */
export const answerTimes = [
  `CREATE TABLE answer_times (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    -- The version of the question set; 0 without questions.
    version integer NOT NULL,
    -- How many responses the percentiles are of.
    responses bigint NOT NULL,
    -- The 1st to the 100th percentile, as buckets of the function time_bucket.
    percentiles integer[] NOT NULL,
    CONSTRAINT answer_times_pkey PRIMARY KEY (company_id, campaign_id, version),
    CONSTRAINT answer_times_percentiles CHECK (
      cardinality(percentiles) = 100 AND array_position(percentiles, NULL) IS NULL
    )
  )`,
  `COMMENT ON TABLE answer_times IS 'distributed by company_id'`,
];
