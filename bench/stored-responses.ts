import type { Client } from 'pg';

/** Five questions, of which the load generator answers the first two. */
const QUESTIONS = [
  { type: 'text', question: 'Why?' },
  { type: 'single_choice', question: 'How?', options: ['So', 'Otherwise'] },
  {
    type: 'single_choice',
    question: 'How often?',
    options: ['Always', 'Often', 'Sometimes', 'Rarely', 'Never'],
    required: false,
  },
  {
    type: 'multiple_choice',
    question: 'Which?',
    options: ['Tea', 'Coffee', 'Water'],
    required: false,
  },
  { type: 'single_choice', question: 'Again?', options: ['Yes', 'No'], required: false },
];

const SET_QUESTIONS = `
  UPDATE question_set SET questions = $3, total_questions = ${QUESTIONS.length}
  WHERE company_id = $1 AND campaign_id = $2`;

/** Identifiers that no other participation has. */
const ID = `(lpad(to_hex($2::bigint), 8, '0') || lpad(to_hex(n), 24, '0'))::uuid`;

/** How attentive respondent n was, from 0 to 10, and the cohort of it. */
const SCORE = '(n::bigint * 7919 % 1001) / 100.0';
const COHORT = `least(5, floor(${SCORE} / 2) + 1)::integer`;

/** What respondent n answered. */
const ANSWERS = `jsonb_build_array(
    jsonb_build_object('question', 1, 'value', 'Because of what happened in ' || n % 1000),
    jsonb_build_object('question', 2, 'value', CASE WHEN n % 3 = 0 THEN 'Otherwise' ELSE 'So' END),
    jsonb_build_object('question', 3, 'value',
      ('{Always,Often,Sometimes,Rarely,Never}'::text[])[1 + n % 5]),
    jsonb_build_object('question', 4, 'value',
      to_jsonb(('{Tea,Coffee,Water}'::text[])[1 + n % 2 : 2 + n % 2])),
    jsonb_build_object('question', 5, 'value', CASE WHEN n % 2 = 0 THEN 'Yes' ELSE 'No' END))`;

/** Respondents $3 to $4 of a campaign, a second apart, the last of them now. */
const INSERT_PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
    question_set_version, rewards, held, state, begun_at, expires_at, closed_at, attention_score,
    cohort, reward, answers)
  SELECT $1, $2, ${ID}, 'bench', sha256(('stored ' || n)::bytea), 1, rewards, 100, 'submitted',
    moment - (20 + n % 200) * interval '1 second', moment + interval '1 day', moment,
    round(${SCORE}, 2), ${COHORT}, rewards[${COHORT}], ${ANSWERS}
  FROM generate_series($3::integer, $4::integer) AS n
  CROSS JOIN LATERAL (
    SELECT date_trunc('second', clock_timestamp()) - ($5 - n) * interval '1 second' AS moment,
      '{3,40,60,80,100}'::numeric(12,2)[] AS rewards OFFSET 0
  ) AS of_each`;

/** Their events, numbered after those there are, or not numbered. */
const insertEvents = (numbered: boolean) => `
  INSERT INTO ${numbered ? 'event' : 'unnumbered_event'}
    (company_id, subject, version, type, actor, changes, created_at${numbered ? ', seq' : ''})
  SELECT $1, p.participation_id, 1, 'response.submitted', 'bench',
    jsonb_build_object('post_id', c.post_id, 'cohort', p.cohort, 'reward', p.reward,
      'answered', n, 'spent', n * 70.0, 'held', 0),
    ${numbered ? 'p.closed_at, s.last_seq + 1 + n - $3' : 'clock_timestamp()'}
  FROM generate_series($3::integer, $4::integer) AS n
  JOIN participation AS p
    ON p.company_id = $1 AND p.campaign_id = $2 AND p.participation_id = ${ID}
  JOIN campaign AS c ON c.company_id = $1 AND c.id = $2
  JOIN event_sequence AS s ON s.company_id = $1`;

const COUNT_EVENTS = 'UPDATE event_sequence SET last_seq = last_seq + $2 WHERE company_id = $1';

const COUNT_PROGRESS = `
  UPDATE campaign_progress AS g
  SET taken = g.taken + p.n, answered = g.answered + p.n, spent = g.spent + p.spent
  FROM (
    SELECT count(*) AS n, sum(reward) AS spent FROM participation
    WHERE company_id = $1 AND campaign_id = $2 AND state = 'submitted'
  ) AS p
  WHERE g.company_id = $1 AND g.campaign_id = $2`;

/** A campaign of a company, as it is stored. */
export interface Stored {
  companyId: string;
  campaignId: number;
}

/** Respondents whose responses are stored, by their numbers. */
interface Portion {
  first: number;
  last: number;
  /** How many there will be in all. */
  of: number;
  /** Whether their events have numbers. */
  numbered: boolean;
}

/** Stores responses as if respondents had submitted them. */
export async function storePortion(
  client: Client,
  { companyId, campaignId }: Stored,
  { first, last, of, numbered }: Portion,
): Promise<void> {
  const portion = [companyId, campaignId, first, last];
  await client.query('BEGIN');
  await client.query(INSERT_PARTICIPATIONS, [...portion, of]);
  await client.query(insertEvents(numbered), portion);
  if (numbered) {
    await client.query(COUNT_EVENTS, [companyId, last - first + 1]);
  }
  await client.query('COMMIT');
}

/** Rows per statement. */
const PORTION = 50_000;

/**
 * Gives a live campaign five questions and so many responses, whose events are numbered and not yet
 * in the tally.
 */
export async function storeResponses(client: Client, to: Stored, count: number): Promise<void> {
  const { companyId, campaignId } = to;
  await client.query(SET_QUESTIONS, [companyId, campaignId, JSON.stringify(QUESTIONS)]);
  let numbered: number;
  do {
    const { rows } = await client.query<{ numbered: number }>(
      'SELECT numbered FROM number_events($1, 1000)',
      [companyId],
    );
    numbered = rows[0]?.numbered ?? 0;
  } while (numbered > 0);
  for (let first = 1; first <= count; first += PORTION) {
    const last = Math.min(count, first + PORTION - 1);
    await storePortion(client, to, { first, last, of: count, numbered: true });
  }
  await client.query(COUNT_PROGRESS, [companyId, campaignId]);
  await client.query('VACUUM ANALYZE');
}
