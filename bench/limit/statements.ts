import { Pool, QueryResultRow } from 'pg';

/*
 * The statements of the service, with names, so that PostgreSQL parses each once per connection.
 */

const INSERT_SURVEY = `
  INSERT INTO campaign (post_id, company_id, updated_by, type, format, title, description,
    content_url, category, tagline, reward_amount, cohort_rewards)
  VALUES ($1, $2, $3, 'survey', 'questionnaire', $4, $5, $6, $7, $8, $9, $10)
  RETURNING company_id, id, type, is_live, status, stop_reason, version`;

const REPLACE_QUESTIONS = `
  WITH target AS (
    UPDATE campaign
    SET question_set_version = coalesce(question_set_version, 0) + 1, updated_by = $6
    WHERE company_id = $3 AND post_id = $2 AND type = 'survey' AND image_survey IS NULL
    RETURNING id, version, question_set_version
  ), stored AS (
    INSERT INTO question_set
      (company_id, campaign_id, version, question_id, questions, total_questions)
    SELECT $3, target.id, target.question_set_version, $1, $4, $5
    FROM target
    RETURNING campaign_id
  )
  SELECT stored.campaign_id AS id, target.version FROM target, stored`;

/** The counters in a row `g` of campaign_progress. */
const COUNTERS = `json_build_object(
  'begun', g.taken + g.abandoned + g.expired, 'open', g.taken - g.answered,
  'submitted', g.answered, 'reversed', g.reversed, 'abandoned', g.abandoned,
  'expired', g.expired, 'spent', g.spent, 'held', g.held)`;

const PROGRESS = `(
  SELECT ${COUNTERS} FROM campaign_progress AS g
  WHERE g.company_id = $1 AND g.campaign_id = campaign.id
)`;

const READ_CAMPAIGN = `
  SELECT campaign.*, ${PROGRESS} AS progress, questions.question_id, questions.total_questions,
    questions.created_at AS questions_created_at
  FROM campaign
  LEFT JOIN question_set AS questions
    ON questions.company_id = campaign.company_id AND questions.campaign_id = campaign.id
    AND questions.version = campaign.question_set_version
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

/** Maximum number of campaigns in a list. */
export const PAGE = 20;

const LIST_CAMPAIGNS = `
  SELECT found.*
  FROM unnest($2::text[]) AS kinds (kind)
  CROSS JOIN unnest($3::text[]) AS statuses (status)
  CROSS JOIN LATERAL (
    SELECT company_id, id, post_id, external_ref, type, format, title, category, currency,
      reward_amount, is_live, starts_at, ends_at, max_responses, budget, answer_minutes,
      stop_reason, status, ${PROGRESS} AS progress, created_at, updated_at
    FROM campaign
    WHERE company_id = $1 AND coalesce(format, type) = kinds.kind AND status = statuses.status
      AND (created_at, id) < ($4::timestamptz, $5::bigint) AND created_at > $6::timestamptz
    ORDER BY created_at DESC, id DESC
    LIMIT ${PAGE + 1}
  ) AS found
  ORDER BY created_at DESC, id DESC
  LIMIT ${PAGE + 1}`;

const FIND_KEY = `
  SELECT key_id, company_id, NULL AS platform, key_hash, scopes, expires_at, revoked_at FROM api_key
  WHERE key_hash = $1`;

const FIND_PLATFORM_KEY = `
  SELECT key_id, stored_id(key_id) AS company_id, name AS platform, key_hash, scopes, NULL AS expires_at,
    revoked_at
  FROM platform_key WHERE key_hash = $1`;

const FIND_PARTICIPATION = `
  SELECT p.participation_id, p.state, p.rewards, p.held, p.begun_at, p.expires_at, p.submission,
    p.cohort, p.reward, p.closed_at, p.attention_score, c.post_id, c.currency, c.type, c.format, c.title,
    c.description, c.content_url, c.category, c.tagline, c.video_url, c.thumbnail_url,
    c.duration_seconds, c.image_survey, q.question_id, q.questions,
    p.expires_at <= clock_timestamp() AS over
  FROM participation AS p
  JOIN campaign AS c ON c.company_id = $1 AND c.id = $2
  LEFT JOIN question_set AS q ON q.company_id = $1 AND q.campaign_id = $2
    AND q.version = p.question_set_version
  WHERE p.company_id = $1 AND p.campaign_id = $2 AND p.participation_id = $3 AND p.platform = $4`;

const SUBMIT = `
  SELECT (part).state, (part).cohort, (part).reward, (part).closed_at, (part).submission,
    (part).answer_percentile, (part).longest_run, (part).compared_answers, (part).consistency,
    (part).text_repeats, (part).quality_flags
  FROM submit_participation($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

const STATEMENTS = {
  insert_survey: INSERT_SURVEY,
  replace_questions: REPLACE_QUESTIONS,
  read_campaign: READ_CAMPAIGN,
  list_campaigns: LIST_CAMPAIGNS,
  find_key: FIND_KEY,
  find_platform_key: FIND_PLATFORM_KEY,
  // By the index, which begins with the company.
  find_owner: `
    SELECT company_id, id FROM campaign
    WHERE company_id IN (SELECT company_id FROM company) AND post_id = $1`,
  begin: 'SELECT id, expired FROM begin_participation($1, $2, $3, $4, $5)',
  find_participation: FIND_PARTICIPATION,
  submit: SUBMIT,
};

/** The service's number of connections, and its timeout. */
export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  statement_timeout: 4_000,
  query_timeout: 4_500,
});

export async function run<Row extends QueryResultRow>(
  name: keyof typeof STATEMENTS,
  values: unknown[],
): Promise<Row | undefined> {
  const { rows } = await pool.query<Row>({ name, text: STATEMENTS[name], values });
  return rows[0];
}

export async function runForAll<Row extends QueryResultRow>(
  name: keyof typeof STATEMENTS,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name, text: STATEMENTS[name], values });
  return rows;
}

/**
 * Changes some columns of a company's campaign, with one statement for each combination of columns.
 */
export async function updateCampaign<Row extends QueryResultRow>(
  postId: string,
  companyId: string,
  set: Record<string, unknown>,
): Promise<Row | undefined> {
  const columns = Object.keys(set);
  const { rows } = await pool.query<Row>({
    name: `update ${columns.join()}`,
    text: `
      UPDATE campaign SET ${columns.map((column, index) => `${column} = $${index + 3}`).join()}
      WHERE post_id = $1 AND company_id = $2 RETURNING *`,
    values: [postId, companyId, ...Object.values(set)],
  });
  return rows[0];
}
