/** The domains, each with the condition that its values meet. */
const DOMAINS = {
  participation_state: `text CONSTRAINT participation_state_known
    CHECK (VALUE IN ('open', 'submitted', 'abandoned', 'expired', 'reversed'))`,
  promised_rewards: `numeric(12, 2)[] CONSTRAINT participation_rewards_complete
    CHECK (cardinality(VALUE) = 5 AND array_position(VALUE, NULL) IS NULL)`,
  attention_score: `numeric(4, 2) CONSTRAINT participation_attention_score
    CHECK (VALUE BETWEEN 0 AND 10)`,
  quality_flags: `smallint CONSTRAINT participation_quality CHECK (VALUE BETWEEN 0 AND 15)`,
  given_answers: `text CONSTRAINT participation_answers
    CHECK (json_typeof(VALUE::json) = 'array')`,
  transfer_kind: `text CONSTRAINT transfer_kind
    CHECK (VALUE IN ('hold', 'settle', 'release', 'reverse'))`,
  transfer_amount: `numeric(12, 2) CONSTRAINT transfer_amount_positive CHECK (VALUE > 0)`,
  counter: `integer CONSTRAINT campaign_progress_not_negative CHECK (VALUE >= 0)`,
  total_amount: `numeric(20, 2) CONSTRAINT campaign_progress_not_negative CHECK (VALUE >= 0)`,
  event_type: `text CONSTRAINT event_type_known CHECK (
    VALUE IN ('campaign.created', 'campaign.updated', 'campaign.started', 'campaign.stopped',
      'campaign.completed', 'campaign.archived', 'campaign.unarchived',
      'campaign.questions_replaced', 'campaign.cohort_rewards_updated',
      'api_key.generated', 'api_key.updated', 'api_key.rotated', 'api_key.revoked',
      'webhook.tested', 'webhook.disabled', 'response.submitted', 'response.reversed',
      'guardrail.triggered')
  )`,
};

/**
 * What one column of a table that each response writes to may contain. PostgreSQL parses the checks
 * of a table again in each statement that writes to it, and those of a domain once per connection.
 */
export const domains = Object.entries(DOMAINS).map(
  ([name, definition]) => `CREATE DOMAIN ${name} AS ${definition}`,
);

export const dropDomains = Object.keys(DOMAINS).map((name) => `DROP DOMAIN ${name}`);
