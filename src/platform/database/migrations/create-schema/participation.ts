/**
 * A respondent's part in a campaign, from the place to the reward. What the respondent was promised
 * is part of it: the question set, and the rewards by cohort. So are the answers: in a table of
 * their own they would take another key, with its index, for each response. `check_participation`
 * has the rules about several columns.
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
    rewards promised_rewards NOT NULL,
    -- The largest reward, which is held for the respondent. Whoever was screened out has been paid it
    -- instead: all five are that reward.
    held numeric(12, 2) NOT NULL,
    state participation_state NOT NULL DEFAULT 'open',
    begun_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    -- When it was submitted, abandoned, expired or screened out.
    closed_at timestamptz(3),
    attention_score attention_score,
    cohort smallint,
    reward numeric(12, 2),
    -- What it was paid besides the reward; null for nothing. A reversal takes it back too.
    bonus bonus_amount,
    -- A keyed hash of what was submitted, so that the same submission gets the same result again.
    submission bytea,
    reversed_at timestamptz(3),
    reversal_reason text,
    -- Quality signals: see src/fielding/quality. All are null once the answers are erased.
    answer_percentile smallint,
    longest_run smallint,
    compared_answers smallint,
    consistency real,
    text_repeats smallint,
    quality_flags quality_flags,
    -- What the respondent answered, as JSON; null once it is erased. As text it is shorter than as
    -- jsonb, and measuring it does not read it.
    answers given_answers,
    -- 64 bits of a keyed hash of the longest open text in the answers, normalised.
    text_hash bigint,
    -- The cells that it counts in; null for none, and once it counts no more.
    cells participation_cells,
    CONSTRAINT participation_pkey PRIMARY KEY (company_id, campaign_id, participation_id),
    -- A campaign with participations keeps its counters.
    CONSTRAINT participation_campaign_progress_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign_progress (company_id, campaign_id),
    CONSTRAINT participation_question_set_fkey
      FOREIGN KEY (company_id, campaign_id, question_set_version)
      REFERENCES question_set (company_id, campaign_id, version)
  )`,
  `COMMENT ON TABLE participation IS 'distributed by company_id'`,
  // Statistics would keep copies of answers that an erasure removes here.
  `ALTER TABLE participation ALTER COLUMN answers SET STATISTICS 0`,
  // Begins with the respondent and has the campaigns in order, so that it also finds what one has
  // done in the campaigns of all companies, page by page.
  `CREATE UNIQUE INDEX participation_respondent
    ON participation (respondent, campaign_id, company_id)`,
  // A platform reads a participation without knowing the company.
  `CREATE INDEX participation_by_id ON participation (participation_id)`,
  `CREATE INDEX participation_open ON participation (expires_at) WHERE state = 'open'`,
  // Begins like the primary key. PostgreSQL does not know that a campaign has one company, and
  // expects so few rows of both that it would rather read all of them by that key.
  //
  // When a campaign is full, begin_participation looks for expired participations there, with the
  // campaign locked.
  `CREATE INDEX participation_open_by_campaign
    ON participation (company_id, campaign_id, expires_at) WHERE state = 'open'`,
  // In the order of the list of responses. Begins with an expression, so that the list cannot be
  // planned with the primary key, nor anything else with this index, whatever the statistics say.
  `CREATE INDEX participation_responses
    ON participation ((campaign_id + 0), closed_at, participation_id)
    WHERE state IN ('submitted', 'reversed')`,
  // A submission looks up who gave the same text before. The hash depends on the campaign.
  `CREATE INDEX participation_text ON participation (text_hash) WHERE text_hash IS NOT NULL`,
];
