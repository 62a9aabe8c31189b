/** What was deleted, until its last row in another table is removed. A trigger notes it. */
export const deletion = [
  `CREATE TABLE deletion (
    company_id uuid NOT NULL,
    -- A webhook_id or guardrail_id.
    id text NOT NULL,
    CONSTRAINT deletion_pkey PRIMARY KEY (company_id, id)
  )`,
  `COMMENT ON TABLE deletion IS 'distributed by company_id'`,
];
