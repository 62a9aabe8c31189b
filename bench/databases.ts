import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, ClientConfig } from 'pg';
import { generateKey, hashKey } from './api-keys';
import type { Account } from './account.types';
import { fillFielding } from './fielding';

/** The server on which the bench creates its databases. */
const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** How much is stored before the measurement. */
export interface Filling {
  companies: number;
  campaigns: number;
  /** Campaigns of each company that requests are for. */
  used?: number;
  /** Whether there are live campaigns too, with respondents who are answering. */
  fielding?: boolean;
}

/** Runs work on its own connection. */
export async function withClient<T>(
  to: string | ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(typeof to === 'string' ? { connectionString: to } : to);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The databases of one run. They are dropped when it ends, however it ends. */
export class Databases {
  private readonly run = `bench_${randomBytes(4).toString('hex')}`;
  private readonly made: string[] = [];

  /** Creates a database, empty or as a copy of another one, and returns its URL. */
  async create(name: string, template?: string): Promise<string> {
    const database = `${this.run}_${name.replaceAll('-', '_')}`;
    const copied = template === undefined ? '' : ` TEMPLATE "${databaseOf(template)}"`;
    await withClient(SERVER, (client) => client.query(`CREATE DATABASE "${database}"${copied}`));
    this.made.push(database);
    const url = new URL(SERVER);
    url.pathname = `/${database}`;
    return url.href;
  }

  async dropAll(): Promise<void> {
    await withClient(SERVER, async (client) => {
      for (const database of this.made.splice(0)) {
        await client.query(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      }
    });
  }
}

/** The name of the database in a URL. */
export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** What readers must know about the server to interpret the figures. */
export async function describeServer(): Promise<Record<string, string>> {
  const names = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers'];
  return withClient(SERVER, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'SELECT name, current_setting(name) AS setting FROM unnest($1::text[]) AS name',
      [names],
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  });
}

/** Migrates a database to the schema of a build of the service, with that build's migrations. */
export function migrate(
  database: { DATABASE_URL: string } | { DATA_DIR: string },
  serviceDirectory: string,
): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(serviceDirectory, 'dist/src/platform/database/migrate.js')],
    { cwd: __dirname, env: { PATH: process.env.PATH, ...database }, encoding: 'utf8' },
  );
  if (status !== 0) {
    throw new Error(`migrating failed: ${stderr}`);
  }
}

/*
 * Identifiers like the service's: sorted by time, then random. Their digits are valid in base32 and
 * in hexadecimal.
 */
const identifier = (prefix: string) =>
  `'${prefix}_0' || lpad(n::text, 9, '0') || left(md5(random()::text), 16)`;

const INSERT_CAMPAIGNS = `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, content_url,
    category, tagline, reward_amount, cohort_rewards, largest_reward, is_live, status, updated_by,
    created_at, updated_at)
  SELECT ${identifier('post')}, ($3::uuid[])[owner], 'survey', 'questionnaire', 'Campaign ' || n,
    repeat('What people think of it. ', 4), CASE WHEN n % 2 = 0 THEN 'https://example.com/' || n END,
    'topic ' || n % 20, 'Tell us what you think', 100, '{3,40,60,80,100}', 100, false, 'draft',
    ($4::text[])[owner], moment, moment
  FROM generate_series($1::integer, $2::integer) AS n
  CROSS JOIN LATERAL (
    SELECT 1 + n % cardinality($3::uuid[]) AS owner,
      '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second' AS moment
  ) AS derived`;

const INSERT_EVENTS = `
  INSERT INTO unnumbered_event (company_id, subject, version, type, actor, changes, created_at)
  SELECT company_id, stored_id(post_id), 1, 'campaign.created', updated_by,
    jsonb_build_object('title', title, 'reward_amount', reward_amount), created_at
  FROM campaign WHERE id BETWEEN $1 AND $2`;

/** For every other campaign of each company. */
const INSERT_QUESTION_SETS = `
  INSERT INTO question_set
    (company_id, question_id, campaign_id, version, questions, total_questions)
  SELECT company_id, ${identifier('qset')}, id, 1, questions, 2
  FROM (VALUES (
    '[{"type": "text", "question": "Why?"},
      {"type": "single_choice", "question": "How?", "options": ["So", "Otherwise"]}]'::jsonb
  )) AS two (questions)
  CROSS JOIN (SELECT company_id, id, id AS n FROM campaign WHERE id BETWEEN $1 AND $2 AND (id / $3::bigint) % 2 = 0) AS c`;

const MARK_QUESTION_SETS = `
  UPDATE campaign SET question_set_version = 1
  FROM question_set
  WHERE question_set.company_id = campaign.company_id AND campaign_id = campaign.id
    AND campaign.id BETWEEN $1 AND $2`;

/** Rows per statement. */
const PORTION = 50_000;

/**
 * Fills a migrated database with companies, their keys, and campaigns, every other one with
 * questions.
 */
export async function fill(
  to: string | ClientConfig,
  { companies, campaigns, used = 200, fielding = false }: Filling,
): Promise<Account[]> {
  const accounts = Array.from({ length: companies }, (_, n) => ({
    key: generateKey(),
    companyId: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    keyId: `key_${String(n).padStart(26, '0')}`,
  }));
  const companyIds = accounts.map(({ companyId }) => companyId);
  const keyIds = accounts.map(({ keyId }) => keyId);
  return withClient(to, async (client) => {
    await client.query(
      `INSERT INTO company (company_id, name, email, password_hash)
       SELECT id, 'Company ' || id, id || '@example.com', '-' FROM unnest($1::uuid[]) AS id`,
      [companyIds],
    );
    await client.query(
      `INSERT INTO api_key (key_id, company_id, key_hash, prefix, scopes, updated_by)
       SELECT key_id, company_id, hash, 'csk_', 
         '{campaigns:read,campaigns:write,events:read,webhooks:read,webhooks:write,responses:read}', company_id
       FROM unnest($1::text[], $2::uuid[], $3::bytea[]) AS t (key_id, company_id, hash)`,
      [keyIds, companyIds, accounts.map(({ key }) => hashKey(key))],
    );
    // The events are written below in bulk; triggers would take far longer.
    await client.query('ALTER TABLE campaign DISABLE TRIGGER USER');
    for (let first = 1; first <= campaigns; first += PORTION) {
      const last = Math.min(campaigns, first + PORTION - 1);
      await client.query(INSERT_CAMPAIGNS, [first, last, companyIds, keyIds]);
      await client.query(INSERT_EVENTS, [first, last]);
      await client.query(INSERT_QUESTION_SETS, [first, last, companies]);
      await client.query(MARK_QUESTION_SETS, [first, last]);
    }
    await client.query('ALTER TABLE campaign ENABLE TRIGGER USER');
    const filled: Account[] = [];
    for (const { key, companyId } of accounts) {
      filled.push({ key, companyId, postIds: await someCampaigns(client, companyId, used) });
    }
    if (fielding) {
      await fillFielding(client, filled);
    }
    await client.query('VACUUM ANALYZE');
    return filled;
  });
}

async function someCampaigns(client: Client, companyId: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ post_id: string }>(
    'SELECT post_id FROM campaign WHERE company_id = $1 ORDER BY md5(post_id) LIMIT $2',
    [companyId, count],
  );
  return rows.map(({ post_id }) => post_id);
}
