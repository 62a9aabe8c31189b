/**
 * The numbers of the submissions whose events are in an archive. Their responses stay, and an
 * export returns them in the order of these numbers.
 */
export const archivedSubmission = [
  `CREATE TABLE archived_submission (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    seq bigint NOT NULL,
    participation_id uuid NOT NULL,
    cohort smallint NOT NULL,
    CONSTRAINT archived_submission_pkey PRIMARY KEY (company_id, campaign_id, seq),
    CONSTRAINT archived_submission_once UNIQUE (company_id, participation_id)
  )`,
  `COMMENT ON TABLE archived_submission IS 'distributed by company_id'`,
  // In the order of the log, for settlements.
  `CREATE UNIQUE INDEX archived_submission_log ON archived_submission (company_id, seq)`,
];
