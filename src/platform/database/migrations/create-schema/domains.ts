/** The domains, each with the condition that its values meet. */
const DOMAINS = {
  campaign_type: `text CONSTRAINT campaign_type_known
    CHECK (VALUE IN ('survey', 'advertisement'))`,
  campaign_format: `text CONSTRAINT campaign_format_known
    CHECK (VALUE IN ('questionnaire', 'round_robin', 'binary', 'image_slider'))`,
  campaign_external_ref: `text CONSTRAINT campaign_external_ref_length
    CHECK (char_length(VALUE) BETWEEN 1 AND 200)`,
  campaign_title: `text CONSTRAINT campaign_title_length
    CHECK (char_length(VALUE) BETWEEN 1 AND 200)`,
  campaign_description: `text CONSTRAINT campaign_description_length
    CHECK (char_length(VALUE) BETWEEN 1 AND 5000)`,
  campaign_category: `text CONSTRAINT campaign_category_length
    CHECK (char_length(VALUE) BETWEEN 1 AND 100)`,
  campaign_tagline: `text CONSTRAINT campaign_tagline_length
    CHECK (char_length(VALUE) BETWEEN 1 AND 200)`,
  campaign_content_url: `text CONSTRAINT campaign_content_url_length
    CHECK (char_length(VALUE) BETWEEN 1 AND 2048)`,
  campaign_duration: `integer CONSTRAINT campaign_duration_positive CHECK (VALUE > 0)`,
  campaign_reward: `numeric(12, 2) CONSTRAINT campaign_reward_amount_range
    CHECK (VALUE > 0 AND VALUE <= 1000000000)`,
  campaign_cohort_rewards: `numeric(12, 2)[]
    CONSTRAINT campaign_cohort_1_at_least_3 CHECK (VALUE[1] >= 3)
    CONSTRAINT campaign_cohort_rewards_range CHECK (
      cardinality(VALUE) = 5 AND array_position(VALUE, NULL) IS NULL
      AND 0 <= ALL (VALUE[1:4]) AND 1000000000 >= ALL (VALUE[1:4])
    )`,
  campaign_max_responses: `integer CONSTRAINT campaign_limits_range
    CHECK (VALUE BETWEEN 1 AND 10000000)`,
  campaign_budget: `numeric(12, 2) CONSTRAINT campaign_limits_range
    CHECK (VALUE > 0 AND VALUE <= 1000000000)`,
  campaign_answer_minutes: `smallint CONSTRAINT campaign_limits_range
    CHECK (VALUE BETWEEN 1 AND 1440)`,
  campaign_review_days: `smallint CONSTRAINT campaign_limits_range
    CHECK (VALUE BETWEEN 0 AND 30)`,
  campaign_dispute_share: `numeric(4, 3) CONSTRAINT campaign_limits_range
    CHECK (VALUE BETWEEN 0 AND 1)`,
  campaign_image_survey: `jsonb CONSTRAINT campaign_image_survey
    CHECK (VALUE IS NULL
      OR coalesce(jsonb_array_length(VALUE -> 'images'), 0) BETWEEN 1 AND 20)`,
  campaign_banners: `jsonb CONSTRAINT campaign_banners
    CHECK (VALUE IS NULL OR coalesce(jsonb_array_length(VALUE), 0) BETWEEN 1 AND 5)`,
  campaign_margins: `jsonb CONSTRAINT campaign_margins
    CHECK (VALUE IS NULL OR coalesce(jsonb_array_length(VALUE), 0) BETWEEN 1 AND 5)`,
  participation_state: `text CONSTRAINT participation_state_known
    CHECK (VALUE IN
      ('open', 'submitted', 'abandoned', 'expired', 'reversed', 'screened_out'))`,
  promised_rewards: `numeric(12, 2)[] CONSTRAINT participation_rewards_complete
    CHECK (cardinality(VALUE) = 5 AND array_position(VALUE, NULL) IS NULL)`,
  attention_score: `numeric(4, 2) CONSTRAINT participation_attention_score
    CHECK (VALUE BETWEEN 0 AND 10)`,
  quality_flags: `smallint CONSTRAINT participation_quality CHECK (VALUE BETWEEN 0 AND 15)`,
  bonus_amount: `numeric(12, 2) CONSTRAINT participation_bonus_positive CHECK (VALUE > 0)`,
  bonus_reference: `text CONSTRAINT bonus_ref_length CHECK (char_length(VALUE) BETWEEN 1 AND 200)`,
  dispute_state: `text CONSTRAINT dispute_state_known
    CHECK (VALUE IN ('open', 'accepted', 'declined'))`,
  approval_state: `text CONSTRAINT approval_state_known
    CHECK (VALUE IN ('pending', 'approved', 'refused', 'expired', 'outdated'))`,
  given_answers: `text CONSTRAINT participation_answers
    CHECK (json_typeof(VALUE::json) = 'array')`,
  participation_cells: `smallint[] CONSTRAINT participation_cells
    CHECK (cardinality(VALUE) > 0 AND array_position(VALUE, NULL) IS NULL)`,
  transfer_kind: `text CONSTRAINT transfer_kind
    CHECK (VALUE IN ('hold', 'settle', 'release', 'reverse', 'screen_out', 'bonus'))`,
  transfer_amount: `numeric(12, 2) CONSTRAINT transfer_amount_positive CHECK (VALUE > 0)`,
  released_amount: `numeric(12, 2) CONSTRAINT transfer_released CHECK (VALUE >= 0)`,
  counter: `integer CONSTRAINT campaign_progress_not_negative CHECK (VALUE >= 0)`,
  cell_count: `integer CONSTRAINT quota_cell_not_negative CHECK (VALUE >= 0)`,
  total_amount: `numeric(20, 2) CONSTRAINT campaign_progress_not_negative CHECK (VALUE >= 0)`,
  event_type: `text CONSTRAINT event_type_known CHECK (
    VALUE IN ('campaign.created', 'campaign.updated', 'campaign.started', 'campaign.stopped',
      'campaign.completed', 'campaign.archived', 'campaign.unarchived',
      'campaign.questions_replaced', 'campaign.cohort_rewards_updated',
      'campaign.targeting_replaced', 'quota.filled', 'quota.reopened',
      'api_key.generated', 'api_key.updated', 'api_key.rotated', 'api_key.revoked',
      'webhook.tested', 'webhook.disabled', 'response.submitted', 'response.reversed',
      'participation.screened_out', 'guardrail.triggered',
      'balance.funded', 'balance.refunded', 'balance.low', 'response.bonus_paid',
      'dispute.opened', 'dispute.accepted', 'dispute.declined',
      'approval.requested', 'approval.approved', 'approval.refused', 'approval.expired',
      'approval.outdated')
  )`,
};

/**
 * What one column of a table that requests write to may contain. PostgreSQL parses the checks of a
 * table again in each statement that writes to it, and those of a domain once per connection.
 */
export const domains = Object.entries(DOMAINS).map(
  ([name, definition]) => `CREATE DOMAIN ${name} AS ${definition}`,
);

export const dropDomains = Object.keys(DOMAINS).map((name) => `DROP DOMAIN ${name}`);
