import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get, IncomingMessage } from 'node:http';
import { DataSource } from 'typeorm';
import { registerCompany, TestCompany } from '../support/client';
import { copyResponse } from '../support/copied-responses';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { begun, liveQuestionnaire, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { untilNumbered } from '../support/numbering';
import { build, RunningService, runService } from '../support/process';

const RESPONSES = 80_000;

const HEAP_MIB = 160;

/** What the memory of the process may grow by once the export is under way. */
const GROWTH_MIB = 50;

// Only a PostgreSQL server can be filled beside a running service.
onPostgres('an export that is larger than the memory of the service', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: RunningService;
  let company: TestCompany;
  let path: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    service = await runService({
      ...database.variables,
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    });
    company = await registerCompany(service.client);
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const questions = [{ type: 'descriptive', question: 'Why?' }];
    const post_id = await liveQuestionnaire({ api }, questions);
    const value = 'Because. '.repeat(200);
    const submitted = await submit(api, await begun(api, post_id, 'ann'), 5, [
      { question: 1, value },
    ]);
    expect(submitted.status).toBe(200);
    const { DATABASE_URL: url } = database.variables as { DATABASE_URL: string };
    dataSource = await new DataSource({ type: 'postgres', url }).initialize();
    await untilNumbered(dataSource);
    await copyResponse(dataSource, company.companyId.replace('co_', 'test_'), RESPONSES);
    await dataSource.query('ANALYZE');
    path = `/svc/campaign/${post_id}/responses/export`;
    headers = { 'x-api-key': api.headers['x-api-key']! };
  }, 240_000);

  afterAll(async () => {
    await dataSource.destroy();
    await service.stop();
    await database.drop();
  });

  const open = (query = ''): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(`${service.url}${path}?${query}`, { headers }, resolve).on('error', reject);
    });

  const residentMib = () => {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
  };

  it('is complete, and needs no more memory at its end than at its beginning', async () => {
    const response = await open();
    expect(response.headers['export-count']).toBe(String(RESPONSES + 1));
    const hash = createHash('sha256');
    let bytes = 0;
    let rows = 0;
    let rest = '';
    let atFirst = 0;
    let most = 0;
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      bytes += chunk.length;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith('{"seq"')) {
          hash.update(`${line}\n`);
          rows += 1;
        } else {
          rest = line;
        }
      }
      if (bytes > 30 * 1_024 ** 2) {
        atFirst ||= residentMib();
        most = Math.max(most, residentMib());
      }
    }
    expect(rows).toBe(RESPONSES + 1);
    expect(JSON.parse(rest)).toMatchObject({ count: rows, sha256: hash.digest('hex') });
    expect(bytes / 1_024 ** 2).toBeGreaterThan(HEAP_MIB);
    expect(atFirst).toBeGreaterThan(0);
    expect(most - atFirst).toBeLessThan(GROWTH_MIB);
  }, 240_000);

  it('holds no connection for a slow reader, and gives up on those who do not read', async () => {
    const unread = [await open(), await open('format=csv')];
    const refused = await open();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
    refused.resume();
    await eventually(async () => {
      const busy = await dataSource.query(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
           AND query LIKE '%response.submitted%'`,
      );
      expect(busy).toEqual([]);
    });
    const upTo = String(unread[0]!.headers['export-up-to-seq']);
    // Both have been given up once there are two places again.
    await eventually(
      async () => {
        const next = await Promise.all([open(`after_seq=${upTo}`), open(`after_seq=${upTo}`)]);
        next.forEach((response) => response.resume());
        expect(next.map(({ headers }) => headers['export-count'])).toEqual(['0', '0']);
      },
      { deadline: 90_000, pause: 1_000 },
    );
    // The rest of what was sent is not a whole export.
    for (const response of unread) {
      const read = async () => {
        for await (const chunk of response) {
          expect(chunk.length).toBeGreaterThan(0);
        }
      };
      await expect(read()).rejects.toThrow();
    }
  }, 240_000);

  it('ends with an error if the service stops in the middle, and can be continued', async () => {
    const response = await open();
    let last = 0;
    let rest = '';
    const read = async () => {
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        last = JSON.parse(lines.at(-1) ?? `{"seq":${last}}`).seq;
        service.process.kill('SIGKILL');
      }
    };
    await expect(read()).rejects.toThrow();
    service = await runService(database.variables);
    const [{ first }] = await dataSource.query(
      `SELECT min(seq)::integer AS first FROM event WHERE type = 'response.submitted'`,
    );
    const upTo = String(response.headers['export-up-to-seq']);
    const continued = await open(`after_seq=${last}&up_to_seq=${upTo}`);
    continued.resume();
    expect(Number(continued.headers['export-count'])).toBe(RESPONSES - (last - first));
  }, 120_000);
});
