import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '../../src/platform/config/env';
import { SettlementWatch } from '../../src/operations/settlement/settlement-watch.service';
import { BalanceMeasures } from '../../src/campaigns/balance/balance-measures.service';
import { HeldPlaces } from '../../src/fielding/participations/held-places.service';
import { DatabaseSize } from '../../src/platform/health/database-size.service';
import { LedgerWatch } from '../../src/insight/ledger/ledger-watch.service';
import { ReconciliationService } from '../../src/insight/ledger/reconciliation.service';
import { reportRedisAway } from '../../src/platform/metrics/metrics.registry';
import { policiesOf } from '../../src/platform/rate-limit/policies';
import { RedisCounts } from '../../src/platform/rate-limit/redis-counts';
import { FoldService } from '../../src/insight/results/fold.service';
import { Lease } from '../../src/platform/scheduling/lease.service';
import { WebhookHousekeeping } from '../../src/delivery/webhook/housekeeping.service';
import { WebhookSweep } from '../../src/delivery/webhook/webhook-sweep.service';
import { checkAlerts, Fault } from '../support/alerts';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { postgresUrl } from '../support/databases';
import { eventually } from '../support/eventually';
import { begin, begun, expire, liveSurvey } from '../support/fielding';
import { createGuardrail, untilGuardrailsRead } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { Metrics } from '../support/metrics';
import { untilNumbered } from '../support/numbering';
import { Receiver } from '../support/receiver';
import { serviceForAll } from '../support/service';
import { tamper } from '../support/tampering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const RULES = read('monitoring/rules.yml');
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
const RECORDED = [...RULES.matchAll(/- record: (\S+)/g)].map(([, name = '']) => name);

/** What Prometheus and node_exporter have, not the service. */
const OF_PROMETHEUS = ['up', 'ALERTS', 'node_filesystem_avail_bytes', 'node_filesystem_size_bytes'];

/** Every expression of the rules, and of the panels. */
function expressions(): string[] {
  const rules = RULES.split(/\n\s*- (?:alert|record): /)
    .slice(1)
    .map(
      (rule) =>
        /expr:\s*(?:\|\n)?([\s\S]*?)(?=\n\s*(?:for|labels|annotations):|\n\n|$)/.exec(rule)![1]!,
    );
  const { panels } = JSON.parse(read('monitoring/dashboard.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return [...rules, ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))];
}

/** The metrics in an expression. */
function metricsIn(expression: string): string[] {
  const plain = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '');
  return [...plain.matchAll(/[a-z_:][\w:]*(?![\w:]*\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => !/^(and|or|unless|bool)$/.test(name));
}

describe('monitoring', () => {
  const service = serviceForAll({
    variables: {
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1',
    },
  });
  let metrics: Metrics;
  let api: Client;
  let companyId: string;
  let receiver: Receiver;
  const faults: Fault[] = [];

  beforeAll(async () => {
    metrics = Metrics.of(service);
    receiver = await Receiver.start();
    const registered = await registerCompany(service.client);
    ({ api } = await generateKey(registered.account, service.client, { mode: 'test' }));
    companyId = registered.companyId.replace('co_', 'test_');
  });

  afterAll(async () => {
    await receiver.stop();
  });

  /** Runs statements by hand, without triggers. */
  const change = (...statements: string[]) =>
    tamper(service.dataSource, async (session) => {
      for (const statement of statements) {
        await session.query(statement);
      }
    });

  /** Takes a function of the database away during some work. */
  async function without<T>(name: string, work: () => Promise<T>): Promise<T> {
    const [{ signature }] = await service.dataSource.query(
      `SELECT oid::regprocedure::text AS signature FROM pg_proc WHERE proname = '${name}'`,
    );
    await service.dataSource.query(`ALTER FUNCTION ${signature} RENAME TO gone`);
    try {
      return await work();
    } finally {
      await service.dataSource.query(
        `ALTER FUNCTION ${signature.replace(name, 'gone')} RENAME TO ${name}`,
      );
    }
  }

  /** Shows a fault to Prometheus: what is measured before it, and when `isSeen` holds. */
  async function observe(
    alerts: readonly string[],
    fault: () => Promise<unknown>,
    isSeen: () => Promise<void>,
    during: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
  ): Promise<void> {
    // What an earlier fault has left is done first.
    await untilNumbered(service.dataSource);
    await service.app
      .get(FoldService, { strict: false })
      .catchUp(storedEnvironment(companyId)!, () => Promise.resolve());
    await metrics.expect('events_unsequenced', 0);
    await metrics.expect('results_events_unfolded', 0);
    const looks = 'service_level_total{promise="events_prompt"}';
    const before = await metrics.text();
    const looked = await metrics.read(looks);
    await during(async () => {
      await fault();
      await service.app.get(LedgerWatch, { strict: false }).compare();
      await eventually(isSeen);
      await eventually(above(looks, looked));
      faults.push({ before, during: await metrics.text(), alerts });
    });
  }

  /** Shows a fault while a function of the database is missing. */
  const observeWithout = (
    name: string,
    alerts: readonly string[],
    fault: () => Promise<unknown>,
    isSeen: () => Promise<void>,
  ) => observe(alerts, fault, isSeen, (work) => without(name, work));

  const above = (line: string, value: number) => async () => {
    expect(await metrics.read(line)).toBeGreaterThan(value);
  };

  /** Stores an event as if it had happened a while ago. */
  const oldEvent = (minutes: number) =>
    service.dataSource.query(
      `INSERT INTO unnumbered_event (company_id, subject, version, type, actor, changes, created_at)
       SELECT company_id, subject, version + ${1_000 * minutes}, 'campaign.updated', actor, '{}',
         now() - interval '${minutes} minutes'
       FROM event WHERE company_id = $1 LIMIT 1`,
      [storedEnvironment(companyId)],
    );

  it('has a page for each alert, with what to do', () => {
    const pages = readdirSync(join(ROOT, 'docs/runbooks')).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual(ALERTS.map((name) => `${name}.md`).sort());
    const index = read('docs/runbooks/README.md');
    for (const name of ALERTS) {
      const page = read(`docs/runbooks/${name}.md`);
      expect(page.match(/^#+ .+$/gm)).toEqual([
        `# ${name}`,
        '## Meaning',
        '## First look',
        '## Fixes',
        '## Over when',
      ]);
      expect(RULES).toContain(`runbook: docs/runbooks/${name}.md`);
      expect(index).toContain(`[${name}](${name}.md)`);
    }
  });

  it('has statements that run on each page', async () => {
    const statements = ALERTS.flatMap((name) =>
      [...read(`docs/runbooks/${name}.md`).matchAll(/`(SELECT [^`]+)`/g)].map(
        ([, sql = '']) => sql,
      ),
    ).filter((sql) => !sql.endsWith('(pid)'));
    expect(statements.length).toBeGreaterThan(8);
    for (const sql of statements) {
      await expect(service.dataSource.query(sql)).resolves.toBeInstanceOf(Array);
    }
  });

  it('names only metrics that exist', async () => {
    const text = await metrics.text();
    const known = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    );
    const allowed = new Set([...known, ...RECORDED, ...OF_PROMETHEUS]);
    const used = new Set(expressions().flatMap(metricsIn));
    expect(used.size).toBeGreaterThan(40);
    expect([...used].filter((name) => !allowed.has(name))).toEqual([]);
  });

  it('keeps the limits of its own tests', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rules.test.yml'], {
      cwd: join(ROOT, 'monitoring'),
      encoding: 'utf8',
    });
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('SUCCESS')]);
    const tested = [...read('monitoring/rules.test.yml').matchAll(/alertname: (\w+)/g)];
    expect(new Set(tested.map(([, name]) => name))).toEqual(new Set(ALERTS));
  });

  it('is silent while the service works', async () => {
    await observe(
      [],
      async () => {
        await begun(api, await liveSurvey({ api }), 'ann');
        await service.app.get(HeldPlaces, { strict: false }).measure();
        await service.app.get(LedgerWatch, { strict: false }).compare();
      },
      above('ledger_compared_pages_total', 0),
    );
    expect(checkAlerts(faults)).toBe('');
  });

  const LEVEL = ['ServiceLevelAtRisk', 'ServiceLevelErodes'];

  it('sees that events are not numbered', () =>
    observeWithout(
      'number_events',
      ['EventsLate', ...LEVEL],
      () => oldEvent(5),
      above('event_sequencer_lag_seconds', 59),
    ));

  it('sees that results are not counted', () =>
    observeWithout(
      'fold_responses',
      ['ResultsLate', ...LEVEL],
      () => oldEvent(10),
      async () => {
        await above('results_fold_lag_seconds', 120)();
        await metrics.expect('event_sequencer_lag_seconds', 0);
      },
    ));

  it('sees that guardrails do not read responses', async () => {
    const { guardrail_id } = await createGuardrail(api);
    await untilGuardrailsRead(service.dataSource, companyId);
    await observeWithout(
      'advance_guardrails',
      ['GuardrailsLate', ...LEVEL],
      async () => {
        await createSurvey(api);
        await metrics.expect('events_unsequenced', 0);
        const company = storedEnvironment(companyId)!;
        await service.app
          .get(FoldService, { strict: false })
          .catchUp(company, () => Promise.resolve());
        await change(
          `UPDATE event SET created_at = now() - interval '5 minutes'
             WHERE (company_id, seq) IN (SELECT company_id, last_seq FROM event_sequence)`,
        );
      },
      async () => {
        await above('guardrail_lag_seconds', 15)();
        expect(service.log.text).toContain('could not apply guardrails');
      },
    );
    await api.post('/svc/guardrail/delete', { guardrail_id });
    await metrics.expect('guardrail_lag_seconds', 0);
  });

  it('sees that a receiver is gone, and whether it is one of several', async () => {
    const others = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const { account } = await registerCompany(service.client);
        return (await generateKey(account, service.client, { mode: 'test' })).api;
      }),
    );
    const failing = (count: number) =>
      metrics.expect('webhook_companies{outcome="failing"}', count);
    const addGone = async (client: Client) =>
      (await client.post('/svc/webhook/create', { url: 'http://127.0.0.1:9/' })).body.data
        .webhook_id as string;
    const first = await addGone(api);
    await observe(
      ['WebhookFails'],
      async () => {
        await createSurvey(api);
        await failing(1);
        await change(`UPDATE webhook_endpoint SET failing_since = now() - interval '2 hours'`);
      },
      async () => {
        await service.app.get(WebhookHousekeeping, { strict: false }).measure();
        await above('webhook_endpoints_failing_lately', 0)();
      },
    );
    expect(service.log.text).toContain(
      `deliveries to ${first} of ${companyId} fail: connection_failed`,
    );
    await change(`UPDATE webhook_endpoint SET failing_since = now()`);
    await service.app.get(WebhookHousekeeping, { strict: false }).measure();
    await metrics.expect('webhook_endpoints_failing', 0);
    const more = await Promise.all(others.map(addGone));
    await observe(
      ['WebhookAttemptsFail'],
      () => Promise.all(others.map((client) => createSurvey(client))),
      () => failing(3),
    );
    const webhooks = [
      [api, first] as const,
      ...others.map((client, i) => [client, more[i]!] as const),
    ];
    for (const [client, webhook_id] of webhooks) {
      await client.patch('/svc/webhook/update', { webhook_id, url: receiver.url });
      await createSurvey(client);
    }
    await failing(0);
    for (const [client, webhook_id] of webhooks) {
      await client.patch('/svc/webhook/update', { webhook_id, enabled: false });
    }
  });

  it('sees that the disk of the database is nearly full', async () => {
    const size = service.app.get(DatabaseSize, { strict: false });
    // What the databases and the log take is more than this server's disk.
    const env = {
      ...service.app.get(Env),
      DATABASE_URL: 'postgres://there/',
      DATABASE_DISK_GIB: 1,
    };
    const small: DatabaseSize = Object.assign(Object.create(size), { env });
    await observe(
      ['DatabaseDiskNearlyFull'],
      () => Promise.resolve(),
      async () => {
        await small.measureDisk();
        expect(small.diskStatus).toBe('disk_nearly_full');
        expect(await metrics.read('database_disk_size_bytes')).toBe(2 ** 30);
        expect(await metrics.read('database_disk_free_bytes')).toBeLessThan(2 ** 30 / 10);
      },
    );
    await size.measureDisk();
  });

  it('sees that the certificate of the database ends', async () => {
    await observe(
      ['DatabaseCertificateEnds'],
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
    // A week from the time at which the rules are tested, which begins in 1970.
    const ends = /^database_certificate_end_seconds 0$/m;
    const fault = faults.at(-1)!;
    expect(fault.during).toMatch(ends);
    fault.during = fault.during!.replace(ends, 'database_certificate_end_seconds 604800');
  });

  it('sees that Redis is gone', async () => {
    const counts = new RedisCounts('redis://127.0.0.1:9', 'test', policiesOf(service.app.get(Env)));
    await observe(
      ['RedisDown'],
      () => counts.open(),
      () => metrics.expect('rate_limit_redis_unreachable', 1),
    );
    counts.close();
    reportRedisAway(0);
  });

  it('sees that webhooks get no turn', async () => {
    const { body } = await api.post('/svc/webhook/create', { url: receiver.url });
    await observeWithout(
      'claim_deliveries',
      ['WebhooksNotServed', ...LEVEL],
      () =>
        change(
          `UPDATE webhook_endpoint SET due_at = now() - interval '5 minutes'
             WHERE webhook_id = '${body.data.webhook_id}'`,
        ),
      async () => {
        await above('webhook_due_lag_seconds', 60)();
        expect(service.log.text).toContain(`could not deliver to ${body.data.webhook_id} (turn `);
      },
    );
    await api.patch('/svc/webhook/update', { webhook_id: body.data.webhook_id, enabled: false });
    await metrics.expect('webhook_due_lag_seconds', 0);
  });

  it('sees that a webhook was not told of an event', async () => {
    await metrics.expect('events_unsequenced', 0);
    const { body } = await api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    await eventually(async () => {
      const statement = 'SELECT FROM webhook_endpoint WHERE webhook_id = $1 AND due_at IS NULL';
      expect(await service.dataSource.query(statement, [webhook_id])).toHaveLength(1);
    });
    await observeWithout(
      'claim_deliveries',
      ['WebhookWakeupsMissed'],
      async () => {
        await change(
          `UPDATE webhook_endpoint SET claimed_seq = claimed_seq - 1, due_at = NULL
             WHERE webhook_id = '${webhook_id}'`,
        );
        await service.app.get(WebhookSweep, { strict: false }).wakeMissed();
      },
      above('webhook_wakeups_missed_total', 0),
    );
    await api.patch('/svc/webhook/update', { webhook_id, enabled: false });
  });

  it('sees a broken row of the ledger', async () => {
    const watch = service.app.get(LedgerWatch, { strict: false });
    await observe(
      ['BooksDiffer'],
      () => change(`UPDATE transfer SET amount = amount + 1 WHERE kind = 'hold'`),
      async () => {
        await watch.compare();
        await above('ledger_differences', 0)();
      },
    );
    await change(`UPDATE transfer SET amount = amount - 1 WHERE kind = 'hold'`);
    await eventually(async () => {
      await watch.compare();
      expect(await metrics.read('ledger_differences')).toBe(0);
    });
  });

  it('sees that the books of a company cannot be compared', async () => {
    const watch = service.app.get(LedgerWatch, { strict: false });
    const reconciliation = service.app.get(ReconciliationService, { strict: false });
    const broken = jest.spyOn(reconciliation, 'reconcile');
    await observe(
      ['BooksNotComparable'],
      async () => {
        await watch.compare();
        for (let attempt = 1; attempt <= 3; attempt += 1) {
          broken.mockRejectedValueOnce(new Error('no such row'));
        }
      },
      async () => {
        if ((await metrics.read('ledger_companies_left_out')) === 0) {
          await watch.compare();
        }
        await above('ledger_companies_left_out', 0)();
      },
    );
    await eventually(async () => {
      await watch.compare();
      expect(await metrics.read('ledger_companies_left_out')).toBe(0);
    });
    expect(service.log.text).toContain('could not compare the books of ');
  });

  it('sees that expired participations keep their places', async () => {
    const { participation_id } = await begun(api, await liveSurvey({ api }), 'bob');
    const held = service.app.get(HeldPlaces, { strict: false });
    await observeWithout(
      'expire_participations',
      ['PlacesNotReleased', ...LEVEL],
      () => expire(service.dataSource, participation_id),
      async () => {
        await held.measure();
        await above('fielding_expiry_lag_seconds', 60)();
      },
    );
    await eventually(async () => {
      await held.measure();
      expect(await metrics.read('fielding_expiry_lag_seconds')).toBe(0);
    });
  });

  it('sees that allotments wait, and that a balance is low', async () => {
    const measures = service.app.get(BalanceMeasures, { strict: false });
    const live = companyId.replace('test_', 'co_');
    await observeWithout(
      'allot_campaign',
      ['AllotmentsLate'],
      () =>
        change(`INSERT INTO allotment_due (company_id, campaign_id, due_at)
          VALUES (stored_id('${live}'), 1, now() - interval '5 minutes')`),
      async () => {
        await measures.measure();
        await above('balance_allotment_lag_seconds', 30)();
      },
    );
    await eventually(async () => {
      await measures.measure();
      expect(await metrics.read('balance_allotment_lag_seconds')).toBe(0);
    });
    await observe(
      ['BalanceLow'],
      // Of a company that no turn is about.
      () =>
        change(`INSERT INTO balance (company_id, is_low)
          VALUES ('01990000-0000-7000-8000-000000000000', true)`),
      async () => {
        await measures.measure();
        await above('balances_low', 0)();
      },
    );
    await change('DELETE FROM balance');
    await eventually(async () => {
      await measures.measure();
      expect(await metrics.read('balances_low')).toBe(0);
    });
  });

  it('sees that a settlement is not paid', async () => {
    const watch = service.app.get(SettlementWatch, { strict: false });
    await observe(
      ['SettlementsUnpaid'],
      () =>
        change(`INSERT INTO settlement (company_id, settlement_id, platform, currency, from_seq,
            to_seq, payments, campaigns, net, sha256, closed_at)
          VALUES ('01990000-0000-7000-8000-000000000000', gen_random_uuid(), 'app', 'USD', 0,
            1, 1, 1, 1, sha256('x'), now() - interval '31 days')`),
      async () => {
        await watch.measure();
        await above('settlements_unpaid_age_seconds', 30 * 86_400)();
      },
    );
    await change('DELETE FROM settlement');
    await watch.measure();
    expect(await metrics.read('settlements_unpaid')).toBe(0);
  });

  it('sees that campaigns do not end', async () => {
    const post_id = await liveSurvey({ api }, { ends_at: '2099-01-01T00:00:00Z' });
    await service.dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await service.dataSource.query(
      'CREATE TRIGGER a_refusal BEFORE UPDATE ON campaign FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    await observe(
      ['CampaignsLate'],
      () =>
        change(
          `UPDATE campaign SET ends_at = now() - interval '5 minutes',
             due_at = now() - interval '5 minutes' WHERE post_id = '${post_id}'`,
        ),
      above('campaign_transition_lag_seconds', 60),
    );
    await service.dataSource.query('DROP TRIGGER a_refusal ON campaign');
    await metrics.expect('campaign_transition_lag_seconds', 0);
  });

  it('sees requests that fail', async () => {
    const post_id = await liveSurvey({ api });
    await observeWithout(
      'begin_participation',
      LEVEL,
      () => begin(api, post_id, 'ann'),
      above(
        'http_request_errors_total{method="POST",route="/svc/fielding/begin",code="internal_error",mode="test"}',
        0,
      ),
    );
  });

  it('sees a full pool', () =>
    observe(
      ['DatabasePoolExhausted'],
      // Ten connections, or the one of the embedded database.
      () =>
        Promise.all(
          Array.from({ length: postgresUrl === undefined ? 10 : 40 }, () =>
            service.dataSource.query('SELECT pg_sleep($1)', [0.5]),
          ),
        ),
      above('database_pool_wait_seconds_count', 0),
    ));

  it('sees a blocked event loop', async () => {
    // Whoever reads the delay of the event loop resets it, so nothing is read after the fault.
    await observe(
      ['EventLoopBlocked'],
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
    for (let turn = 0; turn < 5; turn += 1) {
      const end = performance.now() + 500;
      while (performance.now() < end) {
        // It is busy.
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    faults.at(-1)!.during = await metrics.text();
  });

  it('sees that the work of all is done by nobody', async () => {
    // Another process holds the lease, renews it and does nothing else.
    const other = new Lease(service.dataSource);
    await service.app.get(Lease, { strict: false }).release();
    await eventually(async () => {
      expect(await other.holds()).toBe(true);
    });
    const renewal = setInterval(() => void other.holds(), 500);
    let asked = -1;
    await eventually(async () => {
      const before = asked;
      asked = await metrics.read('service_level_total{promise="events_prompt"}');
      expect(asked).toBe(before);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      expect(await metrics.read('service_level_total{promise="events_prompt"}')).toBe(asked);
    });
    const text = await metrics.text();
    faults.push({
      before: text,
      during: text,
      alerts: ['BackgroundWorkStopped', 'BooksNotCompared'],
    });
    clearInterval(renewal);
    await other.release();
  });

  it('sees that a process is gone', async () => {
    faults.push({ before: await metrics.text(), during: undefined, alerts: ['ServiceDown'] });
  });

  it('fires each alert in its fault, and no other', () => {
    expect(checkAlerts(faults)).toBe('');
    expect(new Set(faults.flatMap(({ alerts }) => alerts))).toEqual(new Set(ALERTS));
  });
});
