import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Account } from './account.types';
import { Filling, withClient } from './databases';
import { PARSE_APPLICATION, parseCampaign } from './parse-rows';
import type { Program } from './processes';

/* Parse Server, as its own command runs it on PostgreSQL. */

const REST_KEY = randomBytes(20).toString('hex');
const MASTER_KEY = randomBytes(20).toString('hex');

const EXECUTABLE = join(__dirname, '../node_modules/parse-server/bin/parse-server');

/** @param cloudCode a file of Cloud Code to load */
export const parseServerProgram =
  (cloudCode?: string) =>
  (databaseUrl: string) =>
  (port: number): Program => ({
    parameters: [EXECUTABLE],
    variables: {
      PORT: String(port),
      PARSE_SERVER_HOST: '127.0.0.1',
      PARSE_SERVER_MOUNT_PATH: '/parse',
      PARSE_SERVER_URL: `http://127.0.0.1:${port}/parse`,
      PARSE_SERVER_DATABASE_URI: databaseUrl,
      PARSE_SERVER_APPLICATION_ID: PARSE_APPLICATION,
      PARSE_SERVER_REST_API_KEY: REST_KEY,
      PARSE_SERVER_MASTER_KEY: MASTER_KEY,
      ...(cloudCode === undefined ? {} : { PARSE_SERVER_CLOUD: join(__dirname, cloudCode) }),
      // Not even one line per request.
      SILENT: '1',
      PARSE_SERVER_LOGS_FOLDER: 'null',
    },
    readyPath: '/parse/health',
  });

const FIELDS = {
  companyId: { type: 'String', required: true },
  title: { type: 'String', required: true },
  description: { type: 'String', required: true },
  contentUrl: { type: 'String' },
  category: { type: 'String', required: true },
  tagline: { type: 'String', required: true },
  rewardAmount: { type: 'Number', required: true },
  cohort1Reward: { type: 'Number', required: true },
  cohort2Reward: { type: 'Number', required: true },
  cohort3Reward: { type: 'Number', required: true },
  cohort4Reward: { type: 'Number', required: true },
  cohort5Reward: { type: 'Number', required: true },
  isLive: { type: 'Boolean', required: true },
};

async function call(url: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/parse/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-parse-application-id': PARSE_APPLICATION,
      'x-parse-master-key': MASTER_KEY,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`Parse Server answered ${path} with ${answer.status}: ${await answer.text()}`);
  }
  return answer.json();
}

/**
 * Creates the class, an index for the list, and as many campaigns as the other contestants have.
 */
export async function fillParseServer(
  url: string,
  databaseUrl: string,
  { companies, campaigns }: Filling,
): Promise<Account[]> {
  await call(url, 'schemas/Campaign', { className: 'Campaign', fields: FIELDS });
  const history = { subject: { type: 'String' }, changes: { type: 'Object' } };
  await call(url, 'schemas/History', { className: 'History', fields: history });
  await withClient(databaseUrl, (client) =>
    client.query('CREATE INDEX ON "Campaign" ("companyId", "createdAt" DESC)'),
  );
  // Each company sends its own campaigns in sequence; all companies send at once.
  const accounts = await Promise.all(
    Array.from({ length: companies }, async (_, company) => {
      const companyId = `company ${company}`;
      const postIds: string[] = [];
      for (let n = company; n < campaigns; n += companies) {
        const created = await call(url, 'classes/Campaign', parseCampaign(n, companyId));
        postIds.push((created as { objectId: string }).objectId);
      }
      return { key: REST_KEY, companyId, postIds };
    }),
  );
  await withClient(databaseUrl, (client) => client.query('VACUUM ANALYZE "Campaign"'));
  return accounts;
}
