import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, temporaryDirectory, TestDatabase } from '../support/databases';
import { freePort } from '../support/ports';
import { build, RunningService, runService } from '../support/process';

const run = promisify(execFile);
const root = join(__dirname, '../..');

/** The addresses in the commands, of the service and of a receiver. */
const BASE = 'http://127.0.0.1:3000';
const RECEIVER = 4000;

describe('the commands of the guides to a first hour', () => {
  let database: TestDatabase;
  let service: RunningService;
  let directory: string;

  beforeAll(async () => {
    // The guides run where a clone is after `npm ci` and `npm start`.
    build();
    directory = temporaryDirectory();
    for (const name of ['package.json', 'scripts', 'dist', 'node_modules']) {
      symlinkSync(join(root, name), join(directory, name));
    }
    database = await createTestDatabase();
    service = await runService({
      ...database.variables,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  /** The bash commands of a document. */
  function commandsOf(file: string): string {
    const text = readFileSync(join(root, 'docs', file), 'utf8');
    return [...text.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, commands]) => commands!).join('');
  }

  /** Runs commands as they are pasted, and returns the lines that they print. */
  async function paste(commands: string): Promise<string[]> {
    expect(commands).toContain(BASE);
    const receiver = String(await freePort());
    const script = commands.replaceAll(BASE, service.url).replaceAll(String(RECEIVER), receiver);
    const { stdout } = await run('bash', ['--norc', '-c', script], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, ...database.variables },
    });
    return stdout.trim().split('\n');
  }

  /** The responses among the lines; each is a success. */
  function responses(lines: readonly string[]): any[] {
    const all = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(all.filter(({ success }) => success !== true)).toEqual([]);
    return all.map(({ data }) => data);
  }

  it('take a company from nothing to results', async () => {
    const lines = await paste(commandsOf('first-campaign.md'));
    expect(lines[0]).toMatch(/^csk_test_/);
    const shown = responses(lines);
    const [, forecast, started, simulated, answers, results, link, ...rest] = shown;
    const [campaign, payments, books] = rest;
    expect(forecast.cost.mean).toBeGreaterThan(0);
    expect(started.is_live).toBe(true);
    expect(simulated.submitted).toBeGreaterThan(10);
    expect(answers.items).toHaveLength(3);
    expect(results.funnel.submitted).toBe(simulated.submitted);
    const page = await fetch(link.url);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Coffee habits'),
    ]);
    expect(campaign.status).toBe(simulated.status);
    expect(payments.items).toHaveLength(3);
    expect(books.differences).toEqual([]);
  });

  it('take a platform from a key to a paid respondent', async () => {
    const lines = await paste(commandsOf('first-respondent.md'));
    const [, , list, begun, submitted, keys, read, respondent] = responses(lines);
    expect(list.items).toHaveLength(1);
    expect(begun.content.questions).toHaveLength(1);
    expect(submitted).toMatchObject({ cohort: 5, reward: 100, receipt: expect.any(String) });
    expect(keys.keys.length).toBeGreaterThan(0);
    expect(read).toMatchObject({ status: 'submitted', receipt: submitted.receipt });
    expect(respondent).toMatchObject({
      earnings: { amounts: [{ currency: 'USD', earned: 100 }] },
      items: [{ reward: 100 }],
    });
  });

  it('take a receiver of webhooks from nothing to a verified message', async () => {
    const lines = await paste(commandsOf('first-webhook.md'));
    const [webhookId] = lines;
    expect(lines).toContain(`verified webhook.tested ${webhookId}`);
    expect(lines).toContain('400');
    const deliveries = responses(lines).at(-1);
    expect(deliveries.items).toContainEqual(expect.objectContaining({ type: 'webhook.tested' }));
  });
});
