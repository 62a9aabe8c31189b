/**
 * A campaign (section 2.2). Its `company_id` is an environment of a company (see
 * `environment.rules.ts`), whose existence the API key of the request shows. Its cohort rewards
 * (section 2.3) are part of its row, so that the rules that tie them to reward_amount are checks of
 * one row: no interleaving of updates can break them.
 */
export const campaign = [
  `CREATE TABLE campaign (
    company_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    post_id text NOT NULL,
    external_ref text,
    type text NOT NULL,
    format text,
    title text NOT NULL,
    description text NOT NULL,
    content_url text,
    category text NOT NULL,
    tagline text NOT NULL,
    -- The company's, so that respondents and platforms see it with the campaign. It never changes.
    currency text NOT NULL DEFAULT 'USD',
    reward_amount numeric(12, 2) NOT NULL,
    -- From the lowest cohort.
    cohort_rewards numeric(12, 2)[] NOT NULL,
    largest_reward numeric(12, 2) NOT NULL GENERATED ALWAYS AS (
      greatest(cohort_rewards[1], cohort_rewards[2], cohort_rewards[3], cohort_rewards[4],
        cohort_rewards[5])
    ) STORED,
    is_live boolean NOT NULL DEFAULT false,
    starts_at timestamptz(3),
    ends_at timestamptz(3),
    max_responses integer,
    budget numeric(12, 2),
    -- How long a respondent has; null for the default.
    answer_minutes smallint,
    -- When the clock next changes the state: the start if it is still to come, or the end.
    due_at timestamptz(3),
    -- What ran out, so that no further response is possible; null for nothing.
    exhausted_by text[],
    -- Why the campaign was stopped last; null while it is live, and before its first start.
    stop_reason text,
    archived boolean NOT NULL DEFAULT false,
    -- As it is stored. What is due but not stored yet makes the difference to what clients see.
    status text NOT NULL GENERATED ALWAYS AS (
      CASE WHEN archived THEN 'archived'
        WHEN exhausted_by IS NOT NULL OR (ends_at IS NOT NULL AND due_at IS NULL) THEN 'completed'
        WHEN is_live THEN 'live'
        WHEN due_at = starts_at THEN 'scheduled'
        WHEN stop_reason IS NOT NULL THEN 'paused'
        ELSE 'draft'
      END
    ) STORED,
    video_url text,
    thumbnail_url text,
    duration_seconds integer,
    has_feedback boolean,
    image_survey jsonb,
    question_set_version integer,
    version integer NOT NULL DEFAULT 1,
    updated_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT campaign_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT campaign_post_id_unique UNIQUE (company_id, post_id),
    CONSTRAINT campaign_environment
      CHECK (substr(company_id::text, 15, 1) IN ('7', '8')),
    CONSTRAINT campaign_type_known CHECK (type IN ('survey', 'advertisement')),
    -- A check that evaluates to null passes, so the format is compared with null first.
    CONSTRAINT campaign_format_known CHECK (
      CASE WHEN type = 'survey'
        THEN format IS NOT NULL
          AND format IN ('questionnaire', 'round_robin', 'binary', 'image_slider')
        ELSE format IS NULL
      END
    ),
    CONSTRAINT campaign_external_ref_length CHECK (char_length(external_ref) BETWEEN 1 AND 200),
    CONSTRAINT campaign_title_length CHECK (char_length(title) BETWEEN 1 AND 200),
    CONSTRAINT campaign_description_length CHECK (char_length(description) BETWEEN 1 AND 5000),
    CONSTRAINT campaign_category_length CHECK (char_length(category) BETWEEN 1 AND 100),
    CONSTRAINT campaign_tagline_length CHECK (char_length(tagline) BETWEEN 1 AND 200),
    CONSTRAINT campaign_content_url_length CHECK (char_length(content_url) BETWEEN 1 AND 2048),
    CONSTRAINT campaign_reward_amount_range
      CHECK (reward_amount > 0 AND reward_amount <= 1000000000),
    CONSTRAINT campaign_cohort_1_at_least_3 CHECK (cohort_rewards[1] >= 3),
    CONSTRAINT campaign_cohort_5_equals_reward CHECK (cohort_rewards[5] = reward_amount),
    CONSTRAINT campaign_cohort_rewards_range CHECK (
      cardinality(cohort_rewards) = 5 AND array_position(cohort_rewards, NULL) IS NULL
      AND 0 <= ALL (cohort_rewards[1:4]) AND 1000000000 >= ALL (cohort_rewards[1:4])
    ),
    CONSTRAINT campaign_advertisement_fields CHECK (
      CASE WHEN type = 'advertisement'
        THEN video_url IS NOT NULL AND has_feedback IS NOT NULL
        ELSE video_url IS NULL AND has_feedback IS NULL
          AND thumbnail_url IS NULL AND duration_seconds IS NULL
      END
    ),
    CONSTRAINT campaign_duration_positive CHECK (duration_seconds > 0),
    CONSTRAINT campaign_image_survey CHECK (
      CASE format
        WHEN 'round_robin'
          THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) BETWEEN 3 AND 20
        WHEN 'binary'
          THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) = 2
        WHEN 'image_slider'
          THEN coalesce(jsonb_array_length(image_survey -> 'images'), 0) BETWEEN 1 AND 20
            AND image_survey ? 'scale'
        ELSE image_survey IS NULL
      END
    ),
    CONSTRAINT campaign_image_survey_fixed
      CHECK (image_survey IS NULL OR question_set_version IS NULL),
    CONSTRAINT campaign_ends_after_start CHECK (ends_at > starts_at),
    -- One constraint, because every write pays for each.
    CONSTRAINT campaign_limits_range CHECK (
      max_responses BETWEEN 1 AND 10000000 AND budget > 0 AND budget <= 1000000000
      AND answer_minutes BETWEEN 1 AND 1440
    ),
    CONSTRAINT campaign_live_unless_over
      CHECK (NOT is_live OR (NOT archived AND exhausted_by IS NULL))
  )`,
  `COMMENT ON TABLE campaign IS 'distributed by company_id'`,
  `CREATE UNIQUE INDEX campaign_external_ref_unique
    ON campaign (company_id, external_ref) WHERE external_ref IS NOT NULL`,
  // A page of a list, newest first, is read from one of these indexes: one scan for each kind of
  // campaign and status that the filters allow, however many campaigns there are.
  `CREATE INDEX campaign_list ON campaign (
    company_id, coalesce(format, type), status, created_at DESC, id DESC
  )`,
  `CREATE INDEX campaign_list_by_category ON campaign (
    company_id, (coalesce(format, type) || ':' || category), status,
    created_at DESC, id DESC
  )`,
  // What respondents can find, newest first; test campaigns are not for them.
  `CREATE INDEX campaign_fielding ON campaign (type, created_at DESC, id DESC)
    WHERE is_live AND substr(company_id::text, 15, 1) = '7'`,
  // What is due is at its beginning, so a look costs the same however many campaigns wait.
  `CREATE INDEX campaign_due ON campaign (due_at) WHERE due_at IS NOT NULL`,
];
