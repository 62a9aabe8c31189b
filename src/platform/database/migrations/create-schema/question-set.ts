/** A set of questions. Sets are never changed: replacing questions stores a new one. */
export const questionSet = [
  `CREATE TABLE question_set (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    version integer NOT NULL,
    question_id text NOT NULL,
    questions jsonb NOT NULL,
    total_questions smallint NOT NULL,
    -- The types of its questions, so that they are compared with what a platform supports without
    -- reading the questions.
    types jsonb NOT NULL
      GENERATED ALWAYS AS (jsonb_path_query_array(questions, '$[*].type')) STORED,
    -- The language of the questions (BCP 47), and their texts in others.
    language text,
    translations jsonb,
    sections jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    -- Bytes of the contents as text, so that a page of sets is measured without reading them.
    size integer NOT NULL GENERATED ALWAYS AS (octet_length(questions::text)
      + coalesce(octet_length(translations::text), 0)
      + coalesce(octet_length(sections::text), 0)) STORED,
    CONSTRAINT question_set_pkey PRIMARY KEY (company_id, campaign_id, version),
    CONSTRAINT question_set_id_unique UNIQUE (company_id, question_id),
    CONSTRAINT question_set_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT question_set_questions CHECK (jsonb_typeof(questions) = 'array'),
    CONSTRAINT question_set_total CHECK (
      total_questions BETWEEN 1 AND 300 AND total_questions = jsonb_array_length(questions)
    ),
    CONSTRAINT question_set_types CHECK (types <@ '["descriptive", "text", "single_choice",
      "multiple_choice", "rating", "nps", "number", "date", "ranking", "matrix", "checkbox",
      "statement"]'),
    CONSTRAINT question_set_language CHECK (language ~ '^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$'
      AND char_length(language) BETWEEN 2 AND 35),
    CONSTRAINT question_set_translations CHECK (
      jsonb_typeof(translations) = 'object' AND translations <> '{}'
      AND (translations IS NULL OR language IS NOT NULL)
    ),
    CONSTRAINT question_set_sections CHECK (
      jsonb_typeof(sections) = 'array' AND jsonb_array_length(sections) BETWEEN 1 AND 300
    )
  )`,
  `COMMENT ON TABLE question_set IS 'distributed by company_id'`,
  // One column gives a campaign one current set. The three columns together make sure that the set
  // is its own. The check is deferred, because the statement that stores a set updates the campaign
  // first.
  `ALTER TABLE campaign ADD CONSTRAINT campaign_question_set_fkey
    FOREIGN KEY (company_id, id, question_set_version)
    REFERENCES question_set (company_id, campaign_id, version)
    DEFERRABLE INITIALLY DEFERRED`,
];
