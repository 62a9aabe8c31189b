/**
 * A respondent's part in a campaign, from the place to the reward. What the respondent was promised
 * is part of it: the question set, and the rewards by cohort.
 */
export const participation = [
  `CREATE TABLE participation (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    -- Whose respondent it is: the name of a platform, or the environment of a test key.
    platform text NOT NULL,
    -- A keyed hash of the respondent's identifier; null once it is erased.
    respondent bytea,
    question_set_version integer,
    rewards numeric(12, 2)[] NOT NULL,
    -- The largest reward, which is held for the respondent.
    held numeric(12, 2) NOT NULL,
    state text NOT NULL DEFAULT 'open',
    begun_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    -- When it was submitted, abandoned or expired.
    closed_at timestamptz(3),
    attention_score numeric(4, 2),
    cohort smallint,
    reward numeric(12, 2),
    -- A keyed hash of what was submitted, so that the same submission gets the same result again.
    submission bytea,
    reversed_at timestamptz(3),
    reversal_reason text,
    -- Quality signals: see src/quality. All are null once the answers are erased.
    answer_percentile smallint,
    longest_run smallint,
    compared_answers smallint,
    consistency real,
    text_repeats smallint,
    quality_flags smallint,
    CONSTRAINT participation_pkey PRIMARY KEY (company_id, campaign_id, participation_id),
    -- A campaign with participations keeps its counters.
    CONSTRAINT participation_campaign_progress_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign_progress (company_id, campaign_id),
    CONSTRAINT participation_question_set_fkey
      FOREIGN KEY (company_id, campaign_id, question_set_version)
      REFERENCES question_set (company_id, campaign_id, version),
    CONSTRAINT participation_promise CHECK (
      cardinality(rewards) = 5 AND array_position(rewards, NULL) IS NULL
      AND held = greatest(rewards[1], rewards[2], rewards[3], rewards[4], rewards[5]) AND expires_at > begun_at
    ),
    -- Section 2.3: a score on the border of two bands belongs to the higher one.
    CONSTRAINT participation_reward CHECK (
      CASE WHEN state IN ('submitted', 'reversed')
        THEN attention_score IS NOT NULL AND cohort IS NOT NULL AND reward IS NOT NULL
          AND attention_score BETWEEN 0 AND 10
          AND cohort = least(5, floor(attention_score / 2) + 1)
          AND reward = rewards[cohort]
        ELSE attention_score IS NULL AND cohort IS NULL AND reward IS NULL AND submission IS NULL
      END
    ),
    CONSTRAINT participation_state CHECK (
      state IN ('open', 'submitted', 'abandoned', 'expired', 'reversed')
      AND (state = 'open') = (closed_at IS NULL)
      AND (state = 'reversed') = (reversed_at IS NOT NULL)
      AND (state = 'reversed') = (reversal_reason IS NOT NULL)
    ),
    CONSTRAINT participation_quality CHECK (quality_flags BETWEEN 0 AND 15)
  )`,
  `COMMENT ON TABLE participation IS 'distributed by company_id'`,
  // Begins with the respondent and has the campaigns in order, so that it also finds what one has
  // done in the campaigns of all companies, page by page.
  `CREATE UNIQUE INDEX participation_respondent
    ON participation (respondent, campaign_id, company_id)`,
  // A platform reads a participation without knowing the company.
  `CREATE INDEX participation_by_id ON participation (participation_id)`,
  `CREATE INDEX participation_open ON participation (expires_at) WHERE state = 'open'`,
  `CREATE INDEX participation_responses
    ON participation (company_id, campaign_id, closed_at, participation_id)
    WHERE state IN ('submitted', 'reversed')`,
];
