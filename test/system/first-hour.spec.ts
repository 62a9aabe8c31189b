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

  /** The fields among the lines, each with the values that were shown. */
  function shown(lines: readonly string[]): (name: string, index?: number) => any {
    const fields = lines.flatMap((line) => {
      const [, name, value] = /^ {2}([\w.]+): (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, value: JSON.parse(value!) }];
    });
    // A line is short enough to be read.
    expect(lines.filter((line) => line.length > 800)).toEqual([]);
    return (name, index = 0) => fields.filter((field) => field.name === name)[index]?.value;
  }

  it('take a company from nothing to results', async () => {
    const lines = await paste(commandsOf('first-campaign.md'));
    expect(lines[0]).toMatch(/^csk_test_/);
    const field = shown(lines);
    expect(field('cost').mean).toBeGreaterThan(0);
    expect(field('is_live')).toBe(true);
    const submitted = field('submitted');
    expect(submitted).toBeGreaterThan(10);
    expect(field('items.0.answers')).toHaveLength(2);
    expect(field('responses')).toMatchObject({ submitted });
    const page = await fetch(field('url'));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Coffee habits'),
    ]);
    expect(field('status', 1)).toBe(field('status'));
    expect(field('progress')).toMatchObject({ submitted });
    expect(field('items.0.amount')).toBeGreaterThan(0);
    expect(field('differences')).toEqual([]);
  });

  it('take a platform from a key to a paid respondent', async () => {
    const lines = await paste(commandsOf('first-respondent.md'));
    const field = shown(lines);
    expect(field('items.0.maximum_reward')).toBe(100);
    expect(field('content.questions')).toHaveLength(1);
    expect([field('cohort'), field('reward'), field('receipt')]).toEqual([
      ...[5, 100, expect.any(String)],
    ]);
    expect(field('keys').length).toBeGreaterThan(0);
    expect(field('status', 1)).toBe('submitted');
    expect(field('earnings')).toMatchObject({ amounts: [{ currency: 'USD', earned: 100 }] });
  });

  it('take a receiver of webhooks from nothing to a verified message', async () => {
    const lines = await paste(commandsOf('first-webhook.md'));
    const [webhookId] = lines;
    expect(lines).toContain(`verified webhook.tested ${webhookId}`);
    expect(lines).toContain('400');
    expect(shown(lines)('items.0').type).toBe('webhook.tested');
  });

  it('end a wait for a receiver that does not start', async () => {
    const [waiting = ''] = /^wait_for\(\) [^]*?^}\n/m.exec(commandsOf('first-webhook.md')) ?? [];
    const { stdout } = await run(
      'bash',
      ['--norc', '-c', `sleep() { :; }\n${waiting}\nwait_for NOTHING`],
      {
        cwd: directory,
      },
    );
    expect(stdout).toContain("The receiver has not printed 'NOTHING' in 30 seconds.");
  });
});
