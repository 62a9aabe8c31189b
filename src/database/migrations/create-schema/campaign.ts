import { readExhaustedBy, REWARDS, setLimits } from './campaign-progress';
import { changed, changesOf, record, recorder, valuesOf } from './event';

/** What every survey has, besides its rewards and state. */
const COMMON = ['type', 'format', 'title', 'description', 'category', 'tagline', 'reward_amount'];

/** What most surveys do not have, besides questions. */
const OTHER = [
  'external_ref',
  'content_url',
  'video_url',
  'thumbnail_url',
  'duration_seconds',
  'has_feedback',
  'image_survey',
  'starts_at',
  'ends_at',
  'max_responses',
  'budget',
  'answer_minutes',
];

const CREATED = [...COMMON, ...REWARDS, 'is_live'];
const SELDOM_CREATED = [...OTHER, 'question_set_version'];
const UPDATED = [...COMMON, ...OTHER];

/** What decides whether a campaign is live, now and later. */
const LIFE = [
  'is_live',
  'archived',
  'starts_at',
  'ends_at',
  'max_responses',
  'budget',
  'due_at',
  'exhausted_by',
];

/** What an event about a campaign's life is about. */
const STATE = ['is_live', 'due_at', 'ends_at', 'exhausted_by', 'archived'];

/**
 * The status of a row as it is stored. What is due but not stored yet makes the difference to the
 * status that clients see.
 */
const statusOf = (row: string) => `
  CASE WHEN ${row}archived THEN 'archived'
    WHEN ${row}exhausted_by IS NOT NULL OR (${row}ends_at IS NOT NULL AND ${row}due_at IS NULL)
      THEN 'completed'
    WHEN ${row}is_live THEN 'live'
    WHEN ${row}due_at = ${row}starts_at THEN 'scheduled'
    WHEN ${row}stop_reason IS NOT NULL THEN 'paused'
    ELSE 'draft'
  END`;

const recorded = (type: string, changes: string) =>
  record({ subject: 'post_id', type: `'campaign.${type}'`, changes, at: 'NEW.updated_at' });

const STATUS_CHANGE = `jsonb_build_object('status',
  jsonb_build_object('old', old_status, 'new', new_status))`;

/**
 * A campaign (section 2.2). Its `company_id` is an environment of a company (see
 * `environment.rules.ts`), whose existence the API key of the request shows. Its cohort rewards (section 2.3) are part of its row, so that the rules
 * that tie them to reward_amount are checks of one row: no interleaving of updates can break them.
 */
export const campaign = [
  `CREATE TABLE campaign (
    company_id text NOT NULL,
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
    reward_amount numeric(12, 2) NOT NULL,
    cohort_1_reward numeric(12, 2) NOT NULL,
    cohort_2_reward numeric(12, 2) NOT NULL,
    cohort_3_reward numeric(12, 2) NOT NULL,
    cohort_4_reward numeric(12, 2) NOT NULL,
    cohort_5_reward numeric(12, 2) NOT NULL,
    is_live boolean NOT NULL DEFAULT false,
    starts_at timestamptz(3),
    ends_at timestamptz(3),
    max_responses integer,
    budget numeric(12, 2),
    -- How long a respondent has; null for the default.
    answer_minutes smallint,
    -- When the clock next changes the state: the start if it is still to come, or the end.
    due_at timestamptz(3),
    -- What ran out: no further response is possible.
    exhausted_by text,
    -- Why the campaign was stopped last; null while it is live, and before its first start.
    stop_reason text,
    archived boolean NOT NULL DEFAULT false,
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
    CONSTRAINT campaign_post_id_unique UNIQUE (post_id, company_id),
    CONSTRAINT campaign_environment
      CHECK (company_id LIKE 'co\\_%' OR company_id LIKE 'test\\_%'),
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
    CONSTRAINT campaign_cohort_1_at_least_3 CHECK (cohort_1_reward >= 3),
    CONSTRAINT campaign_cohort_5_equals_reward CHECK (cohort_5_reward = reward_amount),
    CONSTRAINT campaign_cohort_rewards_range CHECK (
      cohort_1_reward <= 1000000000
      AND cohort_2_reward BETWEEN 0 AND 1000000000
      AND cohort_3_reward BETWEEN 0 AND 1000000000
      AND cohort_4_reward BETWEEN 0 AND 1000000000
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
    company_id, coalesce(format, type), (${statusOf('')}), created_at DESC, id DESC
  )`,
  `CREATE INDEX campaign_list_by_category ON campaign (
    company_id, (coalesce(format, type) || ':' || category), (${statusOf('')}),
    created_at DESC, id DESC
  )`,
  // What respondents can find, newest first; test campaigns are not for them.
  `CREATE INDEX campaign_fielding ON campaign (type, created_at DESC, id DESC)
    WHERE is_live AND company_id LIKE 'co\\_%'`,
  // What is due is at its beginning, so a look costs the same however many campaigns wait.
  `CREATE INDEX campaign_due ON campaign (due_at) WHERE due_at IS NOT NULL`,

  // An update that changes nothing does not create a new version. One that touches the campaign's
  // life also does what has become due, and decides what the clock does next.
  //
  // A start is pending from when starts_at is set until the campaign goes live, by whatever means,
  // or is archived. An end that passes completes the campaign, live or not.
  `CREATE FUNCTION advance_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    actor text := NEW.updated_by;
    moment timestamptz;
    pending boolean := false;
    ended boolean := false;
  BEGIN
    NEW.version := OLD.version;
    NEW.updated_at := OLD.updated_at;
    NEW.updated_by := OLD.updated_by;
    IF NEW IS NOT DISTINCT FROM OLD THEN
      RETURN OLD;
    END IF;
    IF ${changed(LIFE)} OR NEW.exhausted_by IS NOT NULL
      OR (NEW.budget IS NOT NULL AND (${changed(REWARDS)}))
    THEN
      moment := clock_timestamp();
      IF ${changed(['max_responses', 'budget'])} THEN
        ${setLimits('NEW')}
      END IF;
      IF ${changed(['max_responses', 'budget', 'exhausted_by', ...REWARDS])}
        OR NEW.exhausted_by IS NOT NULL
      THEN
        ${readExhaustedBy('NEW')}
      END IF;
      IF NOT (NEW.is_live OR NEW.archived) AND NEW.exhausted_by IS NULL THEN
        pending := coalesce(
          CASE WHEN NEW.starts_at IS DISTINCT FROM OLD.starts_at
            THEN NEW.starts_at IS NOT NULL AND (NEW.ends_at > moment) IS NOT FALSE
            ELSE OLD.due_at = OLD.starts_at AND NOT OLD.is_live
          END, false);
      END IF;
      IF pending AND NEW.starts_at <= moment THEN
        NEW.is_live := true;
        pending := false;
      ELSIF NEW.ends_at <= moment THEN
        IF NEW.is_live AND NOT OLD.is_live THEN
          -- A condition on the clock, which no constraint can have, under the name of its constraint.
          RAISE EXCEPTION 'an ended campaign violates constraint "campaign_live_unless_over"'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_unless_over';
        END IF;
        NEW.is_live := false;
        pending := false;
        ended := true;
      END IF;
      IF NEW.exhausted_by IS NOT NULL AND OLD.is_live THEN
        NEW.is_live := false;
      END IF;
      NEW.due_at := CASE
        WHEN ended OR NEW.archived OR NEW.exhausted_by IS NOT NULL THEN NULL
        WHEN pending THEN NEW.starts_at
        ELSE NEW.ends_at
      END;
      IF NEW.is_live THEN
        NEW.stop_reason := NULL;
      ELSIF OLD.is_live THEN
        NEW.stop_reason := CASE
          WHEN NEW.archived THEN 'archived'
          WHEN ended THEN 'ends_at_passed'
          ELSE coalesce(NEW.exhausted_by, 'stopped_by_owner')
        END;
      END IF;
    END IF;
    NEW.version := OLD.version + 1;
    NEW.updated_at := greatest(clock_timestamp(), OLD.updated_at);
    NEW.updated_by := actor;
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER campaign_advanced BEFORE UPDATE ON campaign
    FOR EACH ROW EXECUTE FUNCTION advance_campaign()`,
  // Most creations set none of the other fields; the smaller object takes half the time.
  ...recorder({
    table: 'campaign',
    name: 'created',
    body: `
      IF num_nonnulls(${SELDOM_CREATED.map((column) => `NEW.${column}`).join(', ')}) = 0 THEN
        ${recorded('created', valuesOf(CREATED))}
      ELSE
        ${recorded('created', `jsonb_strip_nulls(${valuesOf([...CREATED, ...SELDOM_CREATED])})`)}
        IF NEW.max_responses IS NOT NULL OR NEW.budget IS NOT NULL THEN
          ${setLimits('NEW')}
        END IF;
      END IF;`,
  }),
  // One event for each kind of change. Cohort rewards that a new reward_amount recalculates belong
  // to the update.
  ...recorder({
    table: 'campaign',
    name: 'updated',
    declare: 'old_status text; new_status text;',
    body: `
      IF ${changed(STATE)} THEN
        IF NEW.is_live AND NOT OLD.is_live THEN
          ${recorded('started', `'{"is_live": {"old": false, "new": true}}'`)}
        ELSIF OLD.is_live AND NEW.stop_reason IN ('stopped_by_owner', 'archived') THEN
          ${recorded('stopped', `'{"is_live": {"old": true, "new": false}}'`)}
        END IF;
        IF ${changed(['archived', 'exhausted_by'])}
          OR (NEW.ends_at IS NOT NULL AND NEW.due_at IS NULL)
        THEN
          old_status := ${statusOf('OLD.')};
          new_status := ${statusOf('NEW.')};
          IF NEW.archived <> OLD.archived THEN
            IF NEW.archived THEN
              ${recorded('archived', STATUS_CHANGE)}
            ELSE
              ${recorded('unarchived', STATUS_CHANGE)}
            END IF;
          ELSIF new_status = 'completed' AND old_status <> 'completed' THEN
            ${recorded('completed', `${STATUS_CHANGE} || ${changesOf(['is_live'])}`)}
          ELSIF NEW.exhausted_by IS NULL AND OLD.exhausted_by IS NOT NULL
            AND NOT (${changed([...UPDATED, ...REWARDS])})
          THEN
            -- A reversal gave money back; nothing else says so.
            ${recorded('updated', STATUS_CHANGE)}
          END IF;
        END IF;
      END IF;
      IF ${changed(['question_set_version'])} THEN
        ${recorded('questions_replaced', changesOf(['question_set_version']))}
      END IF;
      IF ${changed([...UPDATED, ...REWARDS])} THEN
        IF NEW.reward_amount <> OLD.reward_amount THEN
          ${recorded('updated', changesOf([...UPDATED, ...REWARDS]))}
        ELSE
          IF ${changed(REWARDS)} THEN
            ${recorded('cohort_rewards_updated', changesOf(REWARDS))}
          END IF;
          IF ${changed(UPDATED)} THEN
            ${recorded('updated', changesOf(UPDATED))}
          END IF;
        END IF;
      END IF;`,
  }),
];
