import { Pool, QueryResultRow } from 'pg';

/*
 * The statements that the service sends, named, so that PostgreSQL parses each once a connection.
 */

const INSERT_SURVEY = `
  INSERT INTO campaign (post_id, company_id, updated_by, type, format, title, description,
    content_url, category, tagline, reward_amount, cohort_1_reward, cohort_2_reward,
    cohort_3_reward, cohort_4_reward, cohort_5_reward)
  VALUES ($1, $2, $3, 'survey', 'questionnaire', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  RETURNING id, type, is_live, version`;

const REPLACE_QUESTIONS = `
  WITH target AS (
    UPDATE campaign
    SET question_set_version = coalesce(question_set_version, 0) + 1, updated_by = $6
    WHERE post_id = $2 AND company_id = $3 AND type = 'survey' AND image_survey IS NULL
    RETURNING id, version, question_set_version
  )
  INSERT INTO question_set (question_id, campaign_id, version, questions, total_questions)
  SELECT $1, target.id, target.question_set_version, $4, $5 FROM target
  RETURNING campaign_id AS id, (SELECT target.version FROM target) AS version`;

const READ_CAMPAIGN = `
  SELECT campaign.*, questions.question_id, questions.total_questions,
    questions.created_at AS questions_created_at
  FROM campaign
  LEFT JOIN question_set AS questions
    ON questions.campaign_id = campaign.id AND questions.version = campaign.question_set_version
  WHERE post_id = $1`;

/** How many campaigns a list answers. */
export const PAGE = 20;

const LIST_CAMPAIGNS = `
  SELECT found.*
  FROM unnest($2::text[]) AS kinds (kind)
  CROSS JOIN unnest($3::boolean[]) AS states (is_live)
  CROSS JOIN LATERAL (
    SELECT id, post_id, external_ref, type, format, title, category, reward_amount,
      campaign.is_live, created_at, updated_at
    FROM campaign
    WHERE company_id = $1 AND coalesce(format, type) = kinds.kind
      AND campaign.is_live = states.is_live
      AND (created_at, id) < ($4::timestamptz, $5::bigint) AND created_at > $6::timestamptz
    ORDER BY created_at DESC, id DESC
    LIMIT ${PAGE + 1}
  ) AS found
  ORDER BY created_at DESC, id DESC
  LIMIT ${PAGE + 1}`;

const FIND_KEY = `
  SELECT key_id, company_id, key_hash, scopes, expires_at, revoked_at FROM api_key
  WHERE key_hash = $1`;

const STATEMENTS = {
  insert_survey: INSERT_SURVEY,
  replace_questions: REPLACE_QUESTIONS,
  read_campaign: READ_CAMPAIGN,
  list_campaigns: LIST_CAMPAIGNS,
  find_key: FIND_KEY,
  find_owner: 'SELECT company_id FROM campaign WHERE post_id = $1',
};

/** As many connections, and as long a wait for an answer, as the service has. */
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

/** Changes some columns of a company's campaign: a statement for each choice of columns. */
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
