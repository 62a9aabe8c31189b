/** What a respondent answered, apart from the participation, so that it can be erased. */
export const response = [
  `CREATE TABLE response (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    answers given_answers NOT NULL,
    -- 64 bits of a keyed hash of the longest open text in the answers, normalised.
    text_hash bigint,
    -- Bytes of the answers as text, so that a page of responses is measured without reading them.
    size integer NOT NULL GENERATED ALWAYS AS (octet_length(answers::text)) STORED,
    CONSTRAINT response_pkey PRIMARY KEY (company_id, campaign_id, participation_id),
    CONSTRAINT response_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id)
      REFERENCES participation (company_id, campaign_id, participation_id)
  )`,
  `COMMENT ON TABLE response IS 'distributed by company_id'`,
  // Statistics would keep copies of answers that an erasure removes here.
  `ALTER TABLE response ALTER COLUMN answers SET STATISTICS 0`,
  // A submission looks up who gave the same text before. The hash depends on the campaign.
  `CREATE INDEX response_text ON response (text_hash) WHERE text_hash IS NOT NULL`,
];
