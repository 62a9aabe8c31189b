import { question } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { eventually } from '../support/eventually';
import { expectReconciled, liveQuestionnaire } from '../support/fielding';
import { generateKey } from '../support/keys';
import { build, RunningService, runService } from '../support/process';
import { expectError } from '../support/refusals';

describe('a stop of the service in the middle of long work', () => {
  let database: TestDatabase;
  let service: RunningService;
  let apiKey: string;
  let api: Client;

  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    await run();
    const { account } = await registerCompany(service.client);
    ({ api_key: apiKey, api } = await generateKey(account, service.client, { mode: 'test' }));
  }, 120_000);

  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  async function run(): Promise<void> {
    service = await runService(database.variables);
  }

  /** Expects the service to end in time, and starts it again. */
  async function restart(): Promise<void> {
    expect(await service.exitCode).toBe(0);
    expect(await service.stdout).not.toContain('still under way');
    await run();
    api = service.client.withKey(apiKey);
  }

  const keyed = (key: string) => api.with({ 'idempotency-key': key });

  const liveCampaign = () => liveQuestionnaire({ api }, [question()]);

  const progressOf = async (postId: string) =>
    (await api.get(`/svc/campaign/${postId}`)).body.data.progress;

  it('ends a simulation, which continues when it is sent again and doubles nobody', async () => {
    const [whole, parts] = [await liveCampaign(), await liveCampaign()];
    const request = { respondents: 120, seed: 8, abandon_rate: 0.3 };
    const simulate = (client: Client, post_id: string) =>
      client.post('/svc/campaign/simulate', { post_id, ...request });
    const expected = (await simulate(api, whole)).body.data;

    const interrupted = simulate(keyed('simulation'), parts);
    await eventually(async () => expect((await progressOf(parts)).begun).toBeGreaterThan(2));
    service.process.kill('SIGTERM');
    const answer = await interrupted;
    expectError(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
    await restart();
    expect((await progressOf(parts)).begun).toBeLessThan(120);

    const { headers, body } = await simulate(keyed('simulation'), parts);
    expect(body.data).toEqual({ ...expected, post_id: parts });
    expect(headers.get('idempotency-replayed')).toBeNull();
    expect(await progressOf(parts)).toEqual(await progressOf(whole));
    const again = await simulate(keyed('simulation'), parts);
    expect([again.headers.get('idempotency-replayed'), again.body.data]).toEqual([
      'true',
      body.data,
    ]);
    expect(await progressOf(parts)).toMatchObject({ begun: 120, submitted: expected.submitted });
    await expectReconciled(api);
  }, 120_000);

  it('ends forecasts, which can be sent again', async () => {
    const post_id = await liveCampaign();
    const forecast = (number: number) =>
      keyed(`forecast-${number}`).post('/svc/campaign/forecast', {
        ...{ post_id, seed: 1, runs: 10_000, respondents: 2_000 },
        // Without a history, which the simulation has.
        ...{ attention: { mean: 6, spread: 2 }, completion_rate: 0.8 },
      });
    const numbers = Array.from({ length: 12 }, (_, number) => number);
    const sent = numbers.map(forecast);
    const first = await Promise.race(sent);
    service.process.kill('SIGTERM');
    expect(first.status).toBe(200);
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectError(answer, 503, 'service_unavailable');
    }
    await restart();
    for (const { status, body } of await Promise.all(numbers.map(forecast))) {
      expect([status, body.data]).toEqual([200, first.body.data]);
    }
  }, 120_000);
});
