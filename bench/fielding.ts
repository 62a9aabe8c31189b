import type { Client } from 'pg';
import { generateKey, hashKey } from './api-keys';
import type { Account } from './account.types';
import { postIdsOf } from './post-ids';

/** The name of the platform. */
const PLATFORM = 'bench';

/** Live campaigns of each company. */
const LIVE = 50;

/** Respondents who are answering: in each campaign, and in the hot one, which is the first one. */
export const ANSWERING = 100;
export const ANSWERING_HOT = 100_000;

/** Identifiers like the service's, which the load generator can count. */
export function participationId(campaignId: number, n: number): string {
  return `part_${String(campaignId).padStart(13, '0')}${String(n).padStart(13, '0')}`;
}

const INSERT_CAMPAIGNS = `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, category, tagline,
    reward_amount, cohort_rewards, is_live, updated_by)
  SELECT post_id, company_id, 'survey', 'questionnaire', 'Live ' || n,
    repeat('What people think of it. ', 4), 'food', 'Tell us what you think', 100, '{3,40,60,80,100}',
    true, company_id
  FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS made (company_id, post_id, n)
  RETURNING company_id, id::integer, post_id`;

const INSERT_QUESTION_SETS = `
  INSERT INTO question_set
    (company_id, question_id, campaign_id, version, questions, total_questions)
  SELECT company_id, replace(post_id, 'post_', 'qset_'), id, 1, questions, 2
  FROM campaign CROSS JOIN (VALUES (
    '[{"type": "text", "question": "Why?"},
      {"type": "single_choice", "question": "How?", "options": ["So", "Otherwise"]}]'::jsonb
  )) AS two (questions)
  WHERE is_live`;

const MARK_QUESTION_SETS = 'UPDATE campaign SET question_set_version = 1 WHERE is_live';

const ID = `stored_id('part_' || lpad(id::text, 13, '0') || lpad(n::text, 13, '0'))`;

/** Of the campaigns with these identifiers, from the first number to the last. */
const INSERT_PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
    question_set_version, rewards, held, begun_at, expires_at)
  SELECT company_id, id, ${ID}, '${PLATFORM}', sha256((id || ' ' || n)::bytea), 1,
    '{3,40,60,80,100}', 100, now(), now() + interval '1 day'
  FROM campaign CROSS JOIN generate_series($2::integer, $3::integer) AS n
  WHERE id = ANY ($1::bigint[])`;

const INSERT_TRANSFERS = `
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  SELECT company_id, campaign_id, participation_id, 'hold', held
  FROM participation`;

const INSERT_PROGRESS = `
  INSERT INTO campaign_progress (company_id, campaign_id)
  SELECT company_id, id FROM campaign WHERE is_live`;

const COUNT_PROGRESS = `
  UPDATE campaign_progress AS g SET taken = p.taken, held = p.held
  FROM (
    SELECT company_id, campaign_id, count(*) AS taken, sum(held) AS held FROM participation
    GROUP BY company_id, campaign_id
  ) AS p
  WHERE p.company_id = g.company_id AND p.campaign_id = g.campaign_id`;

/**
 * Gives the companies live campaigns with respondents who are answering, and a platform its key.
 * The first campaign of the first company is the hot one.
 */
export async function fillFielding(client: Client, accounts: Account[]): Promise<void> {
  const platformKey = generateKey('cpk');
  await client.query(
    `INSERT INTO platform_key (key_id, key_hash, prefix, name, scopes)
     VALUES ('pkey_${'0'.repeat(26)}', $1, 'cpk_', '${PLATFORM}', '{fielding:read,fielding:write}')`,
    [hashKey(platformKey)],
  );
  const newPostId = await postIdsOf(client);
  const owners = accounts.flatMap(({ companyId }) => Array<string>(LIVE).fill(companyId));
  const { rows } = await client.query<{ company_id: string; id: number; post_id: string }>(
    INSERT_CAMPAIGNS,
    [owners, owners.map(newPostId)],
  );
  for (const account of accounts) {
    account.platformKey = platformKey;
    account.live = rows
      .filter(({ company_id }) => company_id === account.companyId)
      .map(({ id, post_id }) => ({ id, postId: post_id }));
  }
  await client.query(INSERT_QUESTION_SETS);
  await client.query(MARK_QUESTION_SETS);
  await client.query(INSERT_PROGRESS);
  await client.query(INSERT_PARTICIPATIONS, [rows.map(({ id }) => id), 1, ANSWERING]);
  const hot = accounts[0]?.live?.[0];
  await client.query(INSERT_PARTICIPATIONS, [[hot?.id], ANSWERING + 1, ANSWERING_HOT]);
  await client.query(INSERT_TRANSFERS);
  await client.query(COUNT_PROGRESS);
}
