/** What a respondent answered, apart from the participation, so that it can be erased. */
export const response = [
  `CREATE TABLE response (
    company_id text NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id text NOT NULL,
    answers jsonb NOT NULL,
    -- Bytes of the answers as text, so that a page of responses is measured without reading them.
    size integer NOT NULL GENERATED ALWAYS AS (octet_length(answers::text)) STORED,
    CONSTRAINT response_pkey PRIMARY KEY (company_id, campaign_id, participation_id),
    CONSTRAINT response_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id)
      REFERENCES participation (company_id, campaign_id, participation_id),
    CONSTRAINT response_answers CHECK (jsonb_typeof(answers) = 'array')
  )`,
  `COMMENT ON TABLE response IS 'distributed by company_id'`,
];
