import { DueCampaignsService } from '../../src/campaigns/campaign/due-campaigns.service';
import { CampaignClockService } from '../../src/campaigns/life/campaign-clock.service';
import { ExpiryService } from '../../src/fielding/participations/expiry.service';
import { HeldPlaces } from '../../src/fielding/participations/held-places.service';
import { LedgerWatch } from '../../src/insight/ledger/ledger-watch.service';
import { ReconciliationService } from '../../src/insight/ledger/reconciliation.service';
import { Lease } from '../../src/platform/scheduling/lease.service';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begin, begun, expire, liveSurvey, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { Metrics } from '../support/metrics';
import { serviceForAll } from '../support/service';
import { tamper } from '../support/tampering';
import { printEnvironment, storedEnvironment } from '../../src/platform/caller/environment.rules';

const FUTURE = '2099-01-01T00:00:00Z';
const LATER = '2099-01-02T00:00:00Z';

describe('the metrics of work', () => {
  const service = serviceForAll({ variables: { METRICS_PORT: '0', LOG_LEVEL: 'error' } });
  let metrics: Metrics;
  let company: TestCompany;

  beforeAll(async () => {
    metrics = Metrics.of(service);
    company = await testCompany();
  });

  /** A test key acts as a company and as a platform. */
  async function testCompany(): Promise<TestCompany> {
    const registered = await registerCompany(service.client);
    const { api } = await generateKey(registered.account, service.client, { mode: 'test' });
    return { ...registered, api, companyId: registered.companyId.replace('co_', 'test_') };
  }

  const outcome = (name: string) =>
    metrics.read(`fielding_participations_total{outcome="${name}",mode="test"}`);

  it('counts participations by outcome, and refusals by code', async () => {
    const { api } = company;
    const before = await outcome('begun');
    const post_id = await liveSurvey(company, { max_responses: 3 });
    const first = await begun(api, post_id, 'ann');
    await begun(api, post_id, 'ann');
    const { participation_id } = await begun(api, post_id, 'bob');
    const late = await begun(api, post_id, 'eve');
    expect((await begin(api, post_id, 'dan')).body.error?.code).toBe('fully_held');
    expect(await outcome('begun')).toBe(before + 3);
    await metrics.expect(
      'http_request_errors_total{method="POST",route="/svc/fielding/begin",code="fully_held",mode="test"}',
      1,
    );
    await submit(api, first, 7);
    await api.post('/svc/fielding/abandon', { post_id, participation_id });
    await expire(service.dataSource, late.participation_id);
    await service.app.get(ExpiryService, { strict: false }).look();
    await eventually(async () => {
      const counts = ['submitted', 'abandoned', 'expired'].map((each) => outcome(each));
      expect(await Promise.all(counts)).toEqual([1, 1, 1]);
    });
    await submit(api, first, 7);
    expect(await outcome('submitted')).toBe(1);
    await api.post('/svc/fielding/reverse', {
      post_id,
      participation_id: first.participation_id,
      reason: 'fraud',
    });
    expect(await outcome('reversed')).toBe(1);
  });

  it.each([
    ['submit', { attention_score: 7, answers: [] }, 'submitted'],
    ['abandon', {}, 'abandoned'],
    ['reverse', { reason: 'fraud' }, 'reversed'],
  ])('counts a step once however many copies come at once: %s', async (path, step, name) => {
    const { api } = company;
    const post_id = await liveSurvey(company);
    const participations = await Promise.all(
      ['ann', 'bob', 'eve'].map((respondent) => begun(api, post_id, respondent)),
    );
    if (path === 'reverse') {
      await Promise.all(participations.map((one) => submit(api, one, 7)));
    }
    const before = await outcome(name);
    const copies = participations.flatMap(({ participation_id }) =>
      Array.from({ length: 4 }, () =>
        api.post(`/svc/fielding/${path}`, { post_id, participation_id, ...step }),
      ),
    );
    const statuses = (await Promise.all(copies)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await outcome(name)).toBe(before + participations.length);
  });

  it('counts what a begin has expired, and what an erasure has abandoned', async () => {
    const { api } = company;
    const post_id = await liveSurvey(company, { max_responses: 1 });
    const before = await Promise.all(['expired', 'abandoned'].map(outcome));
    const { participation_id } = await begun(api, post_id, 'ann');
    await expire(service.dataSource, participation_id);
    await begun(api, post_id, 'bob');
    await api.post('/svc/fielding/erase-respondent', { respondent_id: 'bob' });
    expect(await outcome('abandoned')).toBe(before[1]! + 1);
    await eventually(async () => {
      expect(await outcome('expired')).toBe(before[0]! + 1);
    });
  });

  it('shows the places and the money that are held, and what is overdue', async () => {
    const held = service.app.get(HeldPlaces, { strict: false });
    await held.measure();
    const places = await metrics.read('fielding_participations_open{mode="test"}');
    const moneyIn = (currency: string) =>
      metrics.read(`fielding_money_held{mode="test",currency="${currency}"}`);
    const dollars = await moneyIn('USD');
    const { account } = await registerCompany(service.client, { currency: 'EUR' });
    const { api } = await generateKey(account, service.client, { mode: 'test' });
    for (const [client, reward_amount] of [
      [company.api, 100],
      [api, 70],
    ] as const) {
      const post_id = await liveSurvey({ api: client }, { reward_amount });
      await begun(client, post_id, 'ann');
    }
    await held.measure();
    expect(await metrics.read('fielding_participations_open{mode="test"}')).toBe(places + 2);
    expect([await moneyIn('USD'), await moneyIn('EUR')]).toEqual([dollars + 100, 70]);
    expect(await metrics.read('fielding_expiry_lag_seconds')).toBe(0);
    expect(await metrics.read('fielding_participations_open{mode="live"}')).toBe(0);
  });

  /** Lets the start or the end of a campaign have come a minute ago. */
  const come = (postId: string, time: 'starts_at' | 'ends_at') =>
    tamper(service.dataSource, (session) =>
      session.query(
        `UPDATE campaign SET ${time} = now() - interval '1 minute',
           due_at = now() - interval '1 minute'
         WHERE post_id = $1`,
        [postId],
      ),
    );

  const LAG = 'campaign_transition_lag_seconds';

  it('counts the campaigns that the clock ends', async () => {
    const ended = 'campaign_transitions_total{status="completed"}';
    const before = await metrics.read(ended);
    const post_id = await liveSurvey(company, { ends_at: FUTURE });
    await come(post_id, 'ends_at');
    await service.app.get(CampaignClockService, { strict: false }).look();
    await metrics.expect(ended, before + 1);
    await metrics.expect(LAG, 0);
  });

  it.each([
    ['live', 'starts_at' as const, { starts_at: FUTURE, ends_at: LATER }],
    ['completed', 'ends_at' as const, { ends_at: FUTURE }],
  ])('counts once what two processes do: %s', async (status, time, times) => {
    const counted = `campaign_transitions_total{status="${status}"}`;
    const { post_id } = await createSurvey(company.api, times);
    const [{ id, company_id }] = await service.dataSource.query(
      'SELECT id, company_id FROM campaign WHERE post_id = $1',
      [post_id],
    );
    const due = service.app.get(DueCampaignsService, { strict: false });
    const before = await metrics.read(counted);
    await come(post_id, time);
    await Promise.all([1, 2].map(() => due.settle(company_id, [id])));
    await due.settle(company_id, [id]);
    expect(await metrics.read(counted)).toBe(before + 1);
  });

  it('counts once what refused requests have undone before it is done', async () => {
    const ended = 'campaign_transitions_total{status="completed"}';
    const before = await metrics.read(ended);
    const post_id = await liveSurvey(company, { ends_at: FUTURE });
    await come(post_id, 'ends_at');
    for (const attempt of [1, 2]) {
      const headers = { ...company.api.headers, 'idempotency-key': `completed-${attempt}` };
      const refused = await begin(new Client(service.client.url, headers), post_id, 'ann');
      expect(refused.body.error?.code).toBe('campaign_completed');
    }
    await service.app.get(CampaignClockService, { strict: false }).look();
    await metrics.expect(ended, before + 1);
  });

  it('starts and ends the other campaigns when one cannot be stored', async () => {
    const lease = service.app.get(Lease, { strict: false });
    const due = service.app.get(DueCampaignsService, { strict: false });
    const settle = due.settle.bind(due);
    const later = await testCompany();
    const broken = await liveSurvey(company, { ends_at: FUTURE });
    const others = [
      await liveSurvey(company, { ends_at: FUTURE }),
      await liveSurvey(later, { ends_at: FUTURE }),
    ];
    const [{ id }] = await service.dataSource.query('SELECT id FROM campaign WHERE post_id = $1', [
      broken,
    ]);
    const settling = jest
      .spyOn(due, 'settle')
      .mockImplementation((companyId, ids) =>
        ids.includes(id) ? Promise.reject(new Error('damaged')) : settle(companyId, ids),
      );
    for (const post_id of [broken, ...others]) {
      await come(post_id, 'ends_at');
    }
    const clock = service.app.get(CampaignClockService, { strict: false });
    await expect(clock.look()).rejects.toThrow('1 campaigns: Error: damaged');
    const stored = await service.dataSource.query(
      'SELECT post_id FROM campaign WHERE due_at <= now()',
    );
    expect(stored).toEqual([{ post_id: broken }]);
    expect(await metrics.read(LAG)).toBeGreaterThanOrEqual(60);

    // Another process reports what it finds.
    const holding = jest.spyOn(lease, 'holds').mockResolvedValue(false);
    await lease.release();
    await metrics.expect(LAG, 0);
    holding.mockRestore();
    settling.mockRestore();
    await clock.look();
  });

  it('counts exports, their rows, and what the results have counted', async () => {
    const post_id = await liveSurvey(company);
    await submit(company.api, await begun(company.api, post_id, 'ann'), 7);
    await eventually(async () => {
      const response = await fetch(
        `${service.client.url}/svc/campaign/${post_id}/responses/export`,
        { headers: company.api.headers },
      );
      expect((await response.text()).split('\n')).toHaveLength(3);
    });
    await eventually(async () => {
      expect(await metrics.read('exports_total{outcome="complete"}')).toBeGreaterThan(0);
      expect(await metrics.read('export_rows_total')).toBeGreaterThan(0);
      expect(await metrics.read('results_responses_folded_total')).toBeGreaterThan(0);
    });
    await metrics.expect('exports_running', 0);
    expect(await metrics.read('exports_total{outcome="incomplete"}')).toBe(0);
  });

  it('compares the books, and names what differs until a comparison finds it right', async () => {
    const watch = service.app.get(LedgerWatch, { strict: false });
    const post_id = await liveSurvey(company);
    await begun(company.api, post_id, 'ann');
    // The service compares in the background, too.
    const compared = (check: (differences: number) => void) =>
      eventually(async () => {
        await watch.compare();
        check(await metrics.read('ledger_differences'));
      });
    await compared((differences) => {
      expect(differences).toBe(0);
    });
    expect(await metrics.read('ledger_comparisons_total')).toBeGreaterThan(0);
    expect(await metrics.read('ledger_compared_participations_total')).toBeGreaterThan(0);
    const change = (amount: number) =>
      tamper(service.dataSource, (session) =>
        session.query(
          `UPDATE campaign_progress SET held = held + $2 WHERE company_id = $1 AND held > 0`,
          [storedEnvironment(company.companyId), amount],
        ),
      );
    await change(1);
    await compared((differences) => {
      expect(differences).toBeGreaterThan(0);
    });
    const asked = await metrics.read('service_level_total{promise="books_balance"}');
    const kept = await metrics.read('service_level_success_total{promise="books_balance"}');
    expect(kept).toBeLessThan(asked);
    expect(service.log.text).toContain(`the books differ: ${company.companyId} ${post_id}`);
    await change(-1);
    await compared((differences) => {
      expect(differences).toBe(0);
    });
  });

  it('goes on with the next company when the books of one cannot be compared', async () => {
    const watch = service.app.get(LedgerWatch, { strict: false });
    const lease = service.app.get(Lease, { strict: false });
    const reconciliation = service.app.get(ReconciliationService, { strict: false });
    const later = await testCompany();
    await begun(company.api, await liveSurvey(company), 'ann');
    await begun(later.api, await liveSurvey(later), 'ann');
    const reconcile = reconciliation.reconcile.bind(reconciliation);
    const compared: string[] = [];
    const broken = jest
      .spyOn(reconciliation, 'reconcile')
      .mockImplementation((companyId, cursor) => {
        compared.push(printEnvironment(companyId));
        return printEnvironment(companyId) === company.companyId
          ? Promise.reject(new Error('a row is damaged'))
          : reconcile(companyId, cursor);
      });
    const whole = await metrics.read('ledger_comparisons_total');
    await eventually(async () => {
      await watch.compare();
      expect(compared).toContain(company.companyId);
    });
    // It is tried again before it is left out: the database may have restarted.
    expect(await metrics.read('ledger_comparison_failures_total')).toBe(0);
    expect(await metrics.read('ledger_companies_left_out')).toBe(0);
    await eventually(async () => {
      await watch.compare();
      const at = compared.indexOf(company.companyId);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(compared.slice(at + 1)).toContain(later.companyId);
    });
    expect(compared.filter((each) => each === company.companyId).length).toBeGreaterThan(2);
    expect(await metrics.read('ledger_comparison_failures_total')).toBeGreaterThan(0);
    expect(await metrics.read('ledger_companies_left_out')).toBe(1);
    expect(await metrics.read('ledger_comparisons_total')).toBe(whole);
    expect(service.log.text).toContain(
      `could not compare the books of ${company.companyId}: Error: a row is damaged`,
    );
    broken.mockRestore();
    await eventually(async () => {
      await watch.compare();
      expect(await metrics.read('ledger_comparisons_total')).toBeGreaterThan(whole);
    });
    expect(await lease.kept('compare the books')).toMatchObject({ found: 0, leftOut: 0 });
    expect(await metrics.read('ledger_companies_left_out')).toBe(0);
  });

  it('counts what it promises: availability, speed, and prompt background work', async () => {
    await eventually(async () => {
      for (const promise of ['available', 'fast', 'events_prompt', 'webhooks_prompt']) {
        const asked = await metrics.read(`service_level_total{promise="${promise}"}`);
        const kept = await metrics.read(`service_level_success_total{promise="${promise}"}`);
        expect(asked).toBeGreaterThan(0);
        expect(kept).toBeGreaterThan(0);
        expect(kept).toBeLessThanOrEqual(asked);
      }
    });
  });

  it('measures how long work waits for a connection', async () => {
    const count = 'database_pool_wait_seconds_count';
    const before = await metrics.read(count);
    // More statements at once than there are connections.
    await Promise.all(
      Array.from({ length: 40 }, () => service.dataSource.query('SELECT pg_sleep(0.01)')),
    );
    expect(await metrics.read(count)).toBeGreaterThan(before);
  });
});
