import { deliveries } from '../../src/operations/archive/deliveries';
import type { CompanyRun } from '../../src/operations/archive/limits';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { DELIVERY_STATES, DeliveryState } from '../../src/delivery/webhook/webhook.types';
import { registerCompany, TestCompany } from '../support/client';
import { feedPage } from '../support/feed';
import { explain, recordStatements, Statement } from '../support/plans';
import { serviceForAll, unhurried } from '../support/service';

/** Deliveries of each webhook, all in one state. */
const DELIVERIES = 20_000;

const INSERT = `
  INSERT INTO webhook_delivery (company_id, webhook_id, seq, state, due_at, finished_at)
  SELECT $1, $2, n, $3, CASE WHEN $3 = 'pending' THEN now() + interval '1 day' END,
    CASE WHEN $3 <> 'pending' THEN now() - $5 * interval '1 hour' END
  FROM generate_series(1000, 999 + $4::integer) AS n`;

const INDEXES: Record<DeliveryState, string> = {
  pending: 'webhook_delivery_unfinished',
  delivered: 'webhook_delivery_delivered',
  failed: 'webhook_delivery_failed',
};

describe('the query planner on deliveries', () => {
  const service = serviceForAll();
  let company: TestCompany;
  const webhooks = {} as Record<DeliveryState, string>;
  let statements: Statement[];

  beforeAll(async () => {
    // The second company has fewer of them than the first, and younger ones.
    for (const [count, hours] of [
      [10 * DELIVERIES, 2],
      [DELIVERIES, 0],
    ]) {
      company = await registerCompany(service.client);
      await feedPage(company.api, { wait_seconds: 5 });
      for (const state of DELIVERY_STATES) {
        const { body } = await company.api.post('/svc/webhook/create', {
          url: 'https://example.com/webhooks',
        });
        webhooks[state] = body.data.webhook_id;
        const rows = [storedEnvironment(company.companyId), webhooks[state], state, count, hours];
        await unhurried(service, (dataSource) => dataSource.query(INSERT, rows));
      }
    }
    await unhurried(service, (dataSource) => dataSource.query('VACUUM ANALYZE webhook_delivery'));
    statements = recordStatements(service.dataSource);
  }, 120_000);

  it.each(
    DELIVERY_STATES.flatMap((state) =>
      DELIVERY_STATES.filter((other) => other !== state).map((other) => [state, other] as const),
    ),
  )('finds none that is %s among those that are %s, in an index', async (state, other) => {
    for (const plan of ['custom', 'generic'] as const) {
      statements.length = 0;
      const path = `/svc/webhook/${webhooks[other]}/deliveries?status=${state}`;
      expect((await company.api.get(path)).body.data.items).toEqual([]);
      const statement = statements.find(({ sql }) =>
        /FROM webhook_delivery AS d\s+WHERE/.test(sql),
      )!;
      const { scans, buffers } = await explain(service.dataSource, statement, plan);
      expect(scans).toContain(INDEXES[state]);
      expect(buffers).toBeLessThan(20);
    }
  });

  it('looks at a bounded part at once for an archive', async () => {
    statements.length = 0;
    const run = {
      dataSource: service.dataSource,
      companyId: storedEnvironment(company.companyId)!,
      limits: { before: new Date(Date.now() - 3_600_000), stop: new AbortController().signal },
    } as CompanyRun;
    const rows = [];
    for await (const page of deliveries(run, 1).pages) {
      rows.push(...page);
    }
    expect(rows).toEqual([]);
    const looks = statements.splice(0).filter(({ sql }) => sql.includes('FROM webhook_delivery'));
    expect(looks.length).toBeGreaterThan(6);
    for (const statement of looks) {
      for (const plan of ['custom', 'generic'] as const) {
        expect((await explain(service.dataSource, statement, plan)).buffers).toBeLessThan(500);
      }
    }
  });
});
