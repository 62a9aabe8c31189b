import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../support/databases';
import { startService } from '../support/service';

const root = join(__dirname, '../..');
const scratch = temporaryDirectory();

/** Runs a script of the project and answers how it ended and what it wrote. */
async function run(script: string, ...args: string[]) {
  try {
    const written = await promisify(execFile)(process.execPath, [join(root, script), ...args], {
      env: { ...process.env, TMPDIR: scratch },
    });
    return { code: 0, ...written };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

const demo = (...args: string[]) => run('dist/scripts/demo.js', ...args);

/** What the journey shows: each request's method and path, and how it was answered. */
const JOURNEY = [
  ['POST /api/company/create', '200 Company registered.'],
  ['POST /svc/api-key/generate', '200 API key generated.'],
  ['POST /svc/survey/create', '200 Survey campaign created.'],
  ['POST /svc/survey/questions', '200 Survey questions stored.'],
  ['PATCH /svc/campaign/update', '200 Campaign updated.'],
  ['PATCH /svc/campaign/cohort-rewards', '200 Cohort rewards updated.'],
  ['PATCH /svc/campaign/toggle-live', '200 Campaign started.'],
  ['PATCH /svc/campaign/cohort-rewards', '422 cohort_reward_mismatch'],
  ['PATCH /svc/campaign/toggle-live', '200 Campaign stopped.'],
  ['POST /svc/advertisement/create', '200 Advertisement campaign created.'],
  ['POST /svc/advertisement/questions', '200 Feedback questions stored.'],
] as const;

function expectJourney(stdout: string): void {
  const [title, ...lines] = stdout.trimEnd().split('\n');
  expect(title).toMatch(/^The journey of a campaign, at http:/);
  expect(lines.pop()).toBe('All 11 answers were as they should be.');
  expect(lines).toEqual(
    JOURNEY.flatMap(([request, answer]) => [
      expect.stringContaining(`${request} {`),
      expect.stringContaining(`    ${answer}`),
    ]),
  );
}

jest.setTimeout(60_000);

describe('npm run demo', () => {
  beforeAll(async () => {
    expect(await run('scripts/build-if-needed.mjs')).toMatchObject({ code: 0 });
  }, 120_000);

  afterAll(() => rmSync(scratch, { recursive: true }));

  it('takes a campaign through its whole life and leaves nothing behind (section 1)', async () => {
    const { code, stdout, stderr } = await demo();
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expectJourney(stdout);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('does the same on a running service with --url, and shows no whole secret', async () => {
    const service = await startService();
    try {
      const { code, stdout } = await demo('--url', `${service.client.url}/`);
      expect(code).toBe(0);
      expectJourney(stdout);
      expect(stdout).toMatch(/"api_key":"csk_\w{8}…"/);
      expect(stdout).toMatch(/"password":"…"/);
      expect(stdout).toMatch(/"access_token":"[\w.-]{12}…"/);
    } finally {
      await service.close();
    }
  });

  it('says which answer was not as it should be, and exits with 1', async () => {
    const impostor = createServer((_, response) =>
      response.end(JSON.stringify({ success: true, message: 'Sure.', data: {} })),
    ).listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const wrong = await demo('--url', url);
    impostor.closeAllConnections();
    impostor.close();
    await once(impostor, 'close');
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('POST /api/company/create should have answered'),
    });

    expect(await demo('--url', url)).toMatchObject({
      code: 1,
      stderr: `The demo failed: no answer from ${url}\n`,
    });
  });
});
