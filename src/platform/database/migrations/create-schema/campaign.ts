/**
 * A campaign (section 2.2). Its `company_id` is an environment of a company (see
 * `environment.rules.ts`), whose existence the API key of the request shows. Its cohort rewards
 * (section 2.3) are part of its row, so that the rules that tie them to reward_amount are about one
 * row: no interleaving of updates can break them. `check_campaign` has the rules about several
 * columns.
 */
export const campaign = [
  `CREATE TABLE campaign (
    company_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    post_id text NOT NULL,
    external_ref campaign_external_ref,
    type campaign_type NOT NULL,
    format campaign_format,
    title campaign_title NOT NULL,
    description campaign_description NOT NULL,
    content_url campaign_content_url,
    category campaign_category NOT NULL,
    tagline campaign_tagline NOT NULL,
    -- The company's, so that respondents and platforms see it with the campaign. It never changes.
    currency text NOT NULL DEFAULT 'USD',
    reward_amount campaign_reward NOT NULL,
    -- From the lowest cohort.
    cohort_rewards campaign_cohort_rewards NOT NULL,
    -- The largest of them: check_campaign sets it.
    largest_reward numeric(12, 2) NOT NULL,
    is_live boolean NOT NULL DEFAULT false,
    starts_at timestamptz(3),
    ends_at timestamptz(3),
    max_responses campaign_max_responses,
    budget campaign_budget,
    -- Whether it pays with an allotment of the company's balance. Set with the allotment.
    is_prepaid boolean NOT NULL DEFAULT false,
    -- How long a respondent has; null for the default.
    answer_minutes campaign_answer_minutes,
    -- Days in which a response can be disputed, and the share of the responses that can be; null for
    -- none. keep_dispute_terms lets neither grow once a respondent has begun.
    review_days campaign_review_days,
    maximum_dispute_share campaign_dispute_share,
    -- When the clock next changes the state: the start if it is still to come, or the end.
    due_at timestamptz(3),
    -- What ran out, so that no further response is possible; null for nothing.
    exhausted_by text[],
    -- Why the campaign was stopped last; null while it is live, and before its first start.
    stop_reason text,
    archived boolean NOT NULL DEFAULT false,
    -- As it is stored: check_campaign sets it. What is due but not stored yet makes the difference
    -- to what clients see.
    status text NOT NULL,
    video_url text,
    thumbnail_url text,
    duration_seconds campaign_duration,
    has_feedback boolean,
    image_survey campaign_image_survey,
    -- What its results are also kept by: keys of questions, and known shares.
    banners campaign_banners,
    margins campaign_margins,
    question_set_version integer,
    -- The current rules of whom it asks; null if it never had any.
    targeting_version integer,
    version integer NOT NULL DEFAULT 1,
    updated_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- The time of its last event, which is unlike those of all others of the campaign.
    updated_at timestamptz NOT NULL DEFAULT now()::timestamptz(3),
    CONSTRAINT campaign_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT campaign_post_id_unique UNIQUE (company_id, post_id)
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
