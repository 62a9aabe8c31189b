import { setTimeout as delay } from 'node:timers/promises';
import { createSurvey, survey } from '../support/builders';
import { Answer, PASSWORD, registerCompany, TestCompany } from '../support/client';
import { figures } from '../support/figures';
import { runServiceForAll } from '../support/process';

const LOG_INS = 600;

describe('six hundred concurrent logins with idempotency keys', () => {
  const service = runServiceForAll();
  let company: TestCompany;

  beforeAll(async () => {
    company = await registerCompany(service.client);
  });

  /** Milliseconds that a log-in took at most. */
  let longest = 0;

  async function logIn(index: number): Promise<Answer> {
    const since = performance.now();
    const client = service.client.with({ 'idempotency-key': `log-in-${index}` });
    const answer = await client.post('/api/company/login', {
      email: company.email,
      // Half of them have a wrong password, which takes as long to check.
      password: index % 2 === 0 ? PASSWORD : 'not the password',
    });
    longest = Math.max(longest, performance.now() - since);
    return answer;
  }

  it('leave other clients unaffected, and get 503 beyond a short queue', async () => {
    const { post_id } = await createSurvey(company.api);
    const { api } = company;
    let flooded = true;
    let worst = 0;
    const statuses: number[] = [];

    /** Sends one request after another, as clients do. */
    async function bystander(name: number): Promise<void> {
      for (let round = 0; flooded; round += 1) {
        const requests = [
          () => api.get(`/svc/campaign/${post_id}`),
          () => api.patch('/svc/campaign/toggle-live', { post_id, is_live: round % 2 === 0 }),
          () =>
            api
              .with({ 'idempotency-key': `bystander-${name}-${round}` })
              .post('/svc/survey/create', survey()),
        ];
        for (const send of requests) {
          const since = performance.now();
          statuses.push((await send()).status);
          worst = Math.max(worst, performance.now() - since);
          await delay(5);
        }
      }
    }

    const bystanders = Array.from({ length: 4 }, (_, name) => bystander(name));
    const answers = await Promise.all(Array.from({ length: LOG_INS }, (_, index) => logIn(index)));
    flooded = false;
    await Promise.all(bystanders);

    const turnedAway = answers.filter(({ status }) => status === 503);
    for (const { headers, body } of turnedAway) {
      expect(body.error!.code).toBe('service_unavailable');
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    const served = answers.filter((answer) => !turnedAway.includes(answer));
    expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect(served.length).toBeGreaterThanOrEqual(50);
    figures('600 log-ins at once', {
      served: served.length,
      turnedAway: turnedAway.length,
      bystanderRequests: statuses.length,
      bystanderWorstMs: worst,
      longestMs: longest,
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    // Whoever waited for the queue of log-ins would wait as long as its last one.
    expect(worst).toBeLessThan((longest * 3) / 4);
  }, 120_000);
});
