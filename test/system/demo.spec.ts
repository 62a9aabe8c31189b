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

/** Runs a script of the project and returns its exit code and output. */
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

/** What the demo prints: the method and path of each request, and its response. */
type Journey = readonly (readonly [request: string, answer: string])[];

const PREPARATION: Journey = [
  ['POST /api/company/create', '200 Company registered.'],
  ['POST /svc/api-key/generate', '200 API key generated.'],
  ['POST /svc/survey/create', '200 Survey campaign created.'],
  ['POST /svc/survey/questions', '200 Survey questions stored.'],
  ['PATCH /svc/campaign/update', '200 Campaign updated.'],
  ['PATCH /svc/campaign/cohort-rewards', '200 Cohort rewards updated.'],
];
const START: Journey = [['PATCH /svc/campaign/toggle-live', '200 Campaign started.']];
const MISMATCH: Journey = [['PATCH /svc/campaign/cohort-rewards', '422 cohort_reward_mismatch']];
const ADVERTISEMENT: Journey = [
  ['POST /svc/advertisement/create', '200 Advertisement campaign created.'],
  ['POST /svc/advertisement/questions', '200 Feedback questions stored.'],
  ['PATCH /svc/campaign/toggle-live', '200 Campaign started.'],
  ['POST /svc/campaign/simulate', '200 Respondents simulated. {"begun":50,"submitted":'],
  ['POST /svc/campaign/results-link', '200 Link created.'],
];

/** With a receiver of events, which the service must be able to reach. */
const WEBHOOK: Journey = [['POST /svc/webhook/create', '200 Webhook created.']];
const received = (event: string): Journey => [
  ['Received at http://127.0.0.1:', `${event}, signature verified {"seq":`],
];

const respondent = (score: number, cohort: number, reward: number): Journey => [
  ['POST /svc/fielding/begin', '200 Participation begun. {"participation_id":"part_'],
  [
    `POST /svc/fielding/submit {"attention_score":${score},`,
    `200 Answers submitted. {"cohort":${cohort},"reward":${reward}}`,
  ],
];
/** Three respondents, of whom the last one takes the last place. */
const RESPONDENTS: Journey = [
  ...respondent(1, 1, 5),
  ...respondent(5, 3, 55.5),
  ...respondent(9.5, 5, 99.99),
];
const BOOKS: Journey = [
  ['POST /svc/fielding/begin', '422 campaign_completed'],
  ['GET /svc/campaign/post_', '200 Campaign found. {"is_live":false,"status":"completed",'],
  ['GET /svc/ledger/reconcile', '200 Ledger reconciled. {"checked":3,"differences":[]}'],
];

function expectJourney(stdout: string, journey: Journey, responses: number): void {
  const [title, ...lines] = stdout.trimEnd().split('\n');
  expect(title).toMatch(/^The journey of a campaign, at http:/);
  expect(lines.pop()).toMatch(/^The results of the advertisement: http:.*\/results\/crl_\w{36}$/);
  expect(lines.pop()).toBe(`All ${responses} responses were as expected.`);
  expect(lines).toEqual(
    journey.flatMap(([request, answer]) => [
      expect.stringContaining(request),
      expect.stringContaining(`    ${answer}`),
    ]),
  );
}

describe('npm run demo', () => {
  beforeAll(async () => {
    expect(await run('scripts/build-if-needed.mjs')).toMatchObject({ code: 0 });
  });

  afterAll(() => rmSync(scratch, { recursive: true }));

  it('takes a campaign through its whole life, pays respondents and leaves nothing behind (section 1)', async () => {
    const { code, stdout, stderr } = await demo();
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const journey = [
      ...PREPARATION,
      ...WEBHOOK,
      ...START,
      ...received('campaign.started'),
      ...MISMATCH,
      ...RESPONDENTS,
      ...received('campaign.completed'),
      ...BOOKS,
      ...ADVERTISEMENT,
    ];
    expectJourney(stdout, journey, 23);
    expect(stdout.split('\n').filter((line) => line.length > 260)).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('uses a running service with --url, without events, and shows no complete secret', async () => {
    const service = await startService();
    try {
      const { code, stdout } = await demo('--url', `${service.client.url}/`);
      expect(code).toBe(0);
      const journey = [
        ...PREPARATION,
        ...START,
        ...MISMATCH,
        ...RESPONDENTS,
        ...BOOKS,
        ...ADVERTISEMENT,
      ];
      expectJourney(stdout, journey, 22);
      expect(stdout).toMatch(/"api_key":"csk_test\w{4}…"/);
      expect(stdout).toMatch(/"password":"…"/);
      expect(stdout).toMatch(/"access_token":"[\w.-]{12}…"/);
    } finally {
      await service.close();
    }
  });

  it('names the response that was wrong and exits with 1', async () => {
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
      stderr: expect.stringContaining('POST /api/company/create should have returned'),
    });

    expect(await demo('--url', url)).toMatchObject({
      code: 1,
      stderr: `The demo failed: no response from ${url}\n`,
    });
  });
});
