import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionShares } from '../../src/platform/limits/connection-shares';
import { HeavyWork } from '../../src/platform/limits/heavy-work';
import { choice, createSurvey, survey } from '../support/builders';
import { eventually } from '../support/eventually';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

/** Requests that are cut off, each at another moment. */
const REQUESTS = 120;

describe('requests whose client disconnects', () => {
  const company = companyForAll();

  it('leave no place in a queue taken, whatever they were doing', async () => {
    const { post_id } = await createSurvey(company.api);
    const options = Array.from({ length: 200 }, (_, option) => `Option ${option}`.padEnd(100, '.'));
    const questions = Array.from({ length: 30 }, () => choice({ options }));
    const write = (path: string, body: unknown, more = {}) => ({
      path,
      init: {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...more },
      },
    });
    const kinds = [
      () => write('/svc/survey/create', survey()),
      () => write('/svc/survey/questions', { post_id, questions }),
      (n: number) => write('/svc/survey/create', survey(), { 'idempotency-key': `cut ${n}` }),
      () => write('/svc/campaign/duplicate', { post_id }),
      () => ({ path: '/svc/campaign/list', init: {} }),
      () => ({ path: `/svc/campaign/${post_id}/results`, init: {} }),
      () => ({ path: `/svc/campaign/${post_id}/responses/export`, init: {} }),
      () => ({ path: '/svc/event/list?after=0&wait_seconds=5', init: {} }),
    ];
    let cut = 0;
    await Promise.all(
      Array.from({ length: REQUESTS }, async (_, n) => {
        const { path, init } = kinds[n % kinds.length]!(n);
        const { headers = {}, ...rest } = init as RequestInit;
        const client = new AbortController();
        await delay(n * 5);
        const sent = fetch(service.client.url + path, {
          ...rest,
          headers: { ...company.api.headers, ...(headers as Record<string, string>) },
          signal: client.signal,
        }).then(
          (response) => response.text(),
          () => (cut += 1),
        );
        await delay((n * 7) % 60);
        client.abort();
        await sent.catch(() => (cut += 1));
      }),
    );
    expect(cut).toBeGreaterThan(REQUESTS / 4);
    const queues = [service.app.get(ConnectionShares), service.app.get(HeavyWork)];
    await eventually(() =>
      expect(queues.map(({ running, waiting }) => [running, waiting])).toEqual([
        [0, 0],
        [0, 0],
      ]),
    );
    expect((await company.api.get('/svc/campaign/list')).status).toBe(200);
  });
});
