import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { archive } from '../../src/operations/archive/archive-run';
import { ReconciliationService } from '../../src/insight/ledger/reconciliation.service';
import { SETTLEMENT_COMMAND } from '../../src/operations/settlement/settlement.commands';
import { SettlementWatch } from '../../src/operations/settlement/settlement-watch.service';
import { printId } from '../../src/platform/database/identifiers';
import { registry } from '../../src/platform/metrics/metrics.registry';
import { interruptions } from '../support/archives';
import type { Client, TestCompany } from '../support/client';
import { violated } from '../support/constraints';
import { temporaryDirectory } from '../support/databases';
import { itOnPostgres } from '../support/engines';
import { begun, Begun, liveSurvey, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { service } from '../support/service';
import { closeAs, settle, settleOne, storedCompany } from '../support/settlements';
import { tamper } from '../support/tampering';

/** Payments of the largest settlement; `SETTLEMENT_PAYMENTS` sets another number. */
const PAYMENTS = Number(process.env.SETTLEMENT_PAYMENTS ?? 4_500);

/** Submissions that one statement writes. */
const BATCH = 5_000;

/** Writes submissions $2 to $3 into the campaign of company $1, after number $4 of its log. */
const PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
    rewards, held, begun_at, expires_at, state, closed_at, attention_score, cohort, reward)
  SELECT $1, g.campaign_id, stored_id('part_' || lpad((n + $4)::text, 26, '0')), 'app',
    sha256((g.campaign_id || ' ' || n)::bytea), '{3,40,60,80,100}', 100, now(),
    now() + interval '1 hour', 'submitted', now(), 5, 3, 60
  FROM generate_series($2::integer, $3::integer) AS n
  CROSS JOIN campaign_progress AS g WHERE g.company_id = $1`;

const EVENTS = `
  INSERT INTO event (company_id, subject, version, type, actor, changes, created_at, seq)
  SELECT $1, stored_id('part_' || lpad((n + $4)::text, 26, '0')), 1, 'response.submitted', 'app',
    jsonb_build_object('reward', 60, 'post_id', c.post_id), now(), $4::integer + n
  FROM generate_series($2::integer, $3::integer) AS n
  CROSS JOIN campaign AS c WHERE c.company_id = $1`;

const SEQUENCE = 'UPDATE event_sequence SET last_seq = $2 WHERE company_id = $1';

/** Later than everything that a test does. */
const LATER = new Date(Date.now() + 3_600_000);

describe('closing settlements', () => {
  const company: TestCompany = companyForEach();
  const platform: Client = platformForAll();
  let people = 0;

  const owner = () => storedCompany(company.companyId);

  const query = (statement: string, ...parameters: unknown[]): Promise<any[]> =>
    service.dataSource.query(statement, [owner(), ...parameters]);

  async function answer(postId: string, score = 9): Promise<Begun> {
    const place = await begun(platform, postId, `respondent ${(people += 1)}`);
    expect((await submit(platform, place, score)).status).toBe(200);
    return place;
  }

  async function reverse({ post_id, participation_id }: Begun): Promise<void> {
    const reversal = { post_id, participation_id, reason: 'Bot' };
    expect((await platform.post('/svc/fielding/reverse', reversal)).status).toBe(200);
  }

  async function fileOf(id: string): Promise<string> {
    const { headers, url } = platform;
    const response = await fetch(`${url}/svc/fielding/settlement/${id}/file`, { headers });
    return response.text();
  }

  /** Runs the operator's command. */
  const run = (...args: string[]): Promise<string> =>
    SETTLEMENT_COMMAND.read(
      args,
      '.',
    )({ dataSource: service.dataSource, stop: new AbortController().signal });

  const differences = () =>
    new ReconciliationService(service.dataSource).compareSettlements(owner());

  it('leaves all or none, wherever it is interrupted', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    const count = await interruptions(service.dataSource, async (interrupted) => {
      const { failed } = await closeAs(interrupted, { companyId: owner() });
      if (failed.length > 0) {
        throw new Error('interrupted');
      }
    });
    expect(await differences()).toEqual([]);
    expect(count).toBeGreaterThan(5);
    const rows = await query('SELECT payments FROM settlement WHERE company_id = $1');
    expect(rows).toEqual([{ payments: '1' }]);
  });

  it('gives two runs at once one settlement, without an overlap or a gap', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => closeAs(service.dataSource, { companyId: owner() })),
    );
    expect(runs.flatMap(({ settlements }) => settlements)).toHaveLength(1);
    const failed = runs.flatMap((each) => each.failed);
    for (const reason of failed) {
      expect(reason).toMatch(/Another run has closed settlements meanwhile/);
    }
    await answer(postId);
    await settleOne(service.dataSource, owner());
    const rows = await query(
      `SELECT from_seq, to_seq, lag(to_seq, 1, 0) OVER (ORDER BY from_seq) AS before
       FROM settlement WHERE company_id = $1`,
    );
    expect(rows.map(({ from_seq }) => from_seq)).toEqual(rows.map(({ before }) => before));
    expect(await differences()).toEqual([]);
  });

  itOnPostgres('leaves what is not committed to the next settlement', async () => {
    const postId = await liveSurvey(company);
    const paid = await answer(postId);
    const late = await begun(platform, postId, 'late');
    const session = service.dataSource.createQueryRunner();
    const [{ id }] = (await session.query(
      'SELECT id FROM campaign WHERE company_id = $1 AND post_id = $2',
      [owner(), postId],
    )) as [{ id: string }];
    await session.startTransaction();
    await session.query(
      `SELECT submit_participation($1, $2, stored_id($3), 9, 5, '\\x00', '[]', 'app',
         NULL, NULL, NULL, NULL, 0)`,
      [owner(), id, late.participation_id],
    );
    const first = await settleOne(service.dataSource, owner());
    await session.commitTransaction();
    await session.release();
    const second = await settleOne(service.dataSource, owner());
    expect(await fileOf(first)).toContain(paid.participation_id);
    expect(await fileOf(first)).not.toContain(late.participation_id);
    expect(await fileOf(second)).toContain(late.participation_id);
    expect(await differences()).toEqual([]);
  });

  it('goes up to a number of the log, and shows the same settlement again', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    await query('SELECT FROM number_events($1, 1000)');
    const [{ seq: to }] = (await query(
      `SELECT max(seq) AS seq FROM event WHERE company_id = $1`,
    )) as [{ seq: string }];
    await answer(postId);
    const close = () => run('close', '--company', company.companyId, '--to', to);
    const first = await close();
    expect(first).toMatch(/^Closed 1 settlements of 1 companies\.\n/);
    const [id] = /stl_\w{26}/.exec(first)!;
    const file = await fileOf(id);
    const again = await close();
    expect(again).toMatch(/^Closed 0 settlements of 0 companies\.\n/);
    expect(again.slice(again.indexOf('SETTLEMENT'))).toBe(first.slice(first.indexOf('SETTLEMENT')));
    expect(await fileOf(id)).toBe(file);
    expect(file.trimEnd().split('\n')).toHaveLength(1);
    await expect(run('close', '--company', company.companyId, '--to', '100000')).rejects.toThrow(
      /The last number of its log is \d+\./,
    );
    expect((await settle(service.dataSource, owner()))[0]).toMatchObject({ fromSeq: to });
  });

  it('settles one platform ahead of the others', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    expect(await settle(service.dataSource, owner(), { platform: 'another' })).toEqual([]);
    expect(await settle(service.dataSource, owner(), { platform: 'app' })).toHaveLength(1);
    expect(await differences()).toEqual([]);
    await answer(postId);
    const [next] = await settle(service.dataSource, owner());
    expect(next).toMatchObject({ payments: '1', net: '100.00' });
    expect(await settle(service.dataSource, owner())).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  it('is recorded as paid once, whatever is repeated', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    const id = await settleOne(service.dataSource, owner());
    const pay = (reference: string) => run('paid', '--settlement', id, '--reference', reference);
    expect(await pay('SEPA 4711')).toBe(`${id} is paid: SEPA 4711\n`);
    const { settlement } = (await platform.get(`/svc/fielding/settlement/${id}`)).data;
    expect(settlement).toMatchObject({ state: 'paid', reference: 'SEPA 4711' });
    expect(await pay(' SEPA 4711 ')).toBe(`${id} is paid: SEPA 4711\n`);
    await expect(pay('SEPA 4712')).rejects.toThrow(
      `${id} is paid already, with another reference: SEPA 4711`,
    );
    expect((await platform.get(`/svc/fielding/settlement/${id}`)).data.settlement).toEqual(
      settlement,
    );
    await expect(pay('x'.repeat(201))).rejects.toThrow('The reference must');
    await expect(pay(' ')).rejects.toThrow('The reference must not be empty.');
    await expect(run('paid', '--settlement', 'stl_unknown', '--reference', 'x')).rejects.toThrow(
      'There is no settlement with this settlement_id.',
    );
    const listed = await run('list', '--company', company.companyId, '--state', 'paid');
    expect(listed).toContain(id);
    const shown = await run('show', id);
    expect(shown).toContain(settlement.sha256);
    expect(shown).toMatch(new RegExp(`${postId} +1 +100.00`));
  });

  it('stores what nothing can change, remove or add to', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    await settleOne(service.dataSource, owner());
    const change = (statement: string) => violated(query(statement));
    for (const statement of [
      'UPDATE settlement SET net = 1 WHERE company_id = $1',
      `UPDATE settlement SET paid_at = now(), reference = 'x', net = 1 WHERE company_id = $1`,
      'DELETE FROM settlement WHERE company_id = $1',
      'UPDATE settlement_line SET net = 1 WHERE company_id = $1',
      'DELETE FROM settlement_line WHERE company_id = $1',
      `INSERT INTO settlement_line
       SELECT company_id, settlement_id, 2, campaign_id, 1, 1 FROM settlement_line WHERE company_id = $1`,
    ]) {
      expect([statement, await change(statement)]).toEqual([statement, 'settlement_permanent']);
    }
    await query(`UPDATE settlement SET paid_at = now(), reference = 'x' WHERE company_id = $1`);
    expect(await change(`UPDATE settlement SET reference = 'y' WHERE company_id = $1`)).toBe(
      'settlement_permanent',
    );
    const [last] = (await query('SELECT * FROM settlement WHERE company_id = $1')) as [
      { to_seq: string; settlement_id: string; platform: string; currency: string; sha256: Buffer },
    ];
    const { settlement_id: id, platform: of, currency, sha256 } = last;
    const end = Number(last.to_seq);
    const insert = (from: number, to: number, previous: string | null) =>
      violated(
        query(
          `INSERT INTO settlement (company_id, settlement_id, platform, currency, from_seq, to_seq,
             previous_id, payments, campaigns, net, sha256)
           VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 1, 1, $8)`,
          randomUUID(),
          of,
          currency,
          from,
          to,
          previous,
          sha256,
        ),
      );
    expect(await insert(end + 1, end + 2, id)).toBe('settlement_continues');
    expect(await insert(end, end + 1, randomUUID())).toBe('settlement_continues');
    expect(await insert(0, end, null)).toBe('settlement_continues');
  });

  it('has the same file after the log and the transfers are archived, and settles what is in them', async () => {
    const folder = temporaryDirectory();
    const postId = await liveSurvey(company);
    const [kept, fraud] = [await answer(postId), await answer(postId, 7)];
    await reverse(fraud);
    const first = await settleOne(service.dataSource, owner());
    const file = await fileOf(first);
    await answer(postId, 5);
    await reverse(kept);
    const stop = { post_id: postId, is_live: false };
    expect((await company.api.patch('/svc/campaign/toggle-live', stop)).status).toBe(200);
    await company.api.get(`/svc/campaign/${postId}/results`);
    const archived = async () => {
      const limits = { before: LATER, stop: new AbortController().signal };
      await archive(service.dataSource, folder, limits);
      const [{ left }] = await query(
        `SELECT (SELECT count(*) FROM event WHERE company_id = $1 AND type LIKE 'response.%')
           + (SELECT count(*) FROM transfer WHERE company_id = $1) AS left`,
      );
      return Number(left);
    };
    expect(await archived()).toBe(0);
    expect(await fileOf(first)).toBe(file);
    expect(await differences()).toEqual([]);
    const second = await settleOne(service.dataSource, owner());
    expect(
      (await platform.get(`/svc/fielding/settlement/${second}`)).data.settlement,
    ).toMatchObject({
      payments: 2,
      net: -40,
    });
    expect(await differences()).toEqual([]);
    expect(await run('list', '--company', company.companyId)).toContain(second);
    rmSync(folder, { recursive: true });
  });

  it('refuses to end a file that is not the one that was closed', async () => {
    const postId = await liveSurvey(company);
    const { participation_id } = await answer(postId);
    const id = await settleOne(service.dataSource, owner());
    const changed = (reward: number) =>
      tamper(service.dataSource, (session) =>
        session.query(
          `UPDATE event SET changes = changes || jsonb_build_object('reward', $3::integer)
           WHERE company_id = $1 AND subject = stored_id($2) AND type = 'response.submitted'`,
          [owner(), participation_id, reward],
        ),
      );
    await changed(99);
    const { headers, url } = platform;
    const broken = fetch(`${url}/svc/fielding/settlement/${id}/file`, { headers });
    await expect(broken.then((response) => response.text()).then((text) => text)).resolves.toMatch(
      /internal_error/,
    );
    await changed(100);
    expect(await fileOf(id)).toContain(participation_id);
  });

  it('is compared with the books, which tell what is missing and what is too much', async () => {
    const postId = await liveSurvey(company);
    const { participation_id } = await answer(postId);
    await answer(postId);
    await settleOne(service.dataSource, owner());
    const tampered = (statement: string) =>
      tamper(service.dataSource, (session) => session.query(statement, [owner()]));
    await tampered('UPDATE settlement_line SET net = 150 WHERE company_id = $1');
    const found = await differences();
    expect(found).toEqual([{ post_id: postId, platform: 'app', expected: '200', found: '150' }]);
    await tampered('UPDATE settlement_line SET net = 200 WHERE company_id = $1');
    expect(await differences()).toEqual([]);
    const late = await answer(postId);
    const lost = (reward: number) =>
      tamper(service.dataSource, (session) =>
        session.query(
          `UPDATE participation SET reward = $3 WHERE company_id = $1
             AND participation_id = stored_id($2)`,
          [owner(), late.participation_id, reward],
        ),
      );
    await lost(90);
    expect(await differences()).toMatchObject([{ expected: '290', found: '300' }]);
    await lost(100);
    expect(await differences()).toEqual([]);
    expect(participation_id).not.toBe(late.participation_id);
  });

  it('is measured until it is paid', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    const id = await settleOne(service.dataSource, owner());
    const watch = service.app.get(SettlementWatch);
    const measured = async () => {
      await watch.measure();
      const metrics = await registry.metrics();
      return Number(/^settlements_unpaid (\d+)$/m.exec(metrics)?.[1]);
    };
    const before = await measured();
    expect(before).toBeGreaterThan(0);
    expect(await registry.metrics()).toMatch(/^settlements_unpaid_age_seconds \d/m);
    await run('paid', '--settlement', id, '--reference', 'x');
    expect(await measured()).toBe(before - 1);
  });

  it('closes the live data of all companies, and test data only by name', async () => {
    await answer(await liveSurvey(company));
    // A company is known by its log, which has numbers soon after the first event.
    await query('SELECT FROM number_events($1, 1000)');
    const { settlements, failed } = await closeAs(service.dataSource);
    expect(failed).toEqual([]);
    const [own] = await query('SELECT settlement_id FROM settlement WHERE company_id = $1');
    expect(settlements).toContain(own.settlement_id);
    expect(printId('stl', own.settlement_id)).toMatch(/^stl_/);
  });

  it('adds up and returns any number of payments, window by window', async () => {
    const postId = await liveSurvey(company);
    await answer(postId);
    await query('SELECT number_events($1, 1000)');
    const [{ before }] = await query(
      'SELECT last_seq AS before FROM event_sequence WHERE company_id = $1',
    );
    for (let from = 1; from <= PAYMENTS; from += BATCH) {
      const to = Math.min(PAYMENTS, from + BATCH - 1);
      await tamper(service.dataSource, async (session) => {
        for (const statement of [PARTICIPATIONS, EVENTS]) {
          await session.query(statement, [owner(), from, to, before]);
        }
        await session.query(SEQUENCE, [owner(), Number(before) + to]);
      });
    }
    const started = performance.now();
    const id = await settleOne(service.dataSource, owner());
    const closed = performance.now();
    const { settlement } = (await platform.get(`/svc/fielding/settlement/${id}`)).data;
    expect(settlement).toMatchObject({ payments: PAYMENTS + 1, net: 60 * PAYMENTS + 100 });
    const hash = createHash('sha256');
    let lines = 0;
    let heap = 0;
    const { headers, url } = platform;
    const response = await fetch(`${url}/svc/fielding/settlement/${id}/file`, { headers });
    for await (const chunk of response.body!) {
      hash.update(chunk);
      lines += chunk.filter((byte: number) => byte === 10).length;
      heap = Math.max(heap, process.memoryUsage().rss);
    }
    expect([lines, hash.digest('hex')]).toEqual([PAYMENTS + 1, settlement.sha256]);
    if (process.env.SETTLEMENT_PAYMENTS !== undefined) {
      const seconds = [closed - started, performance.now() - closed].map((each) => each / 1_000);
      process.stdout.write(`closed and read in ${seconds.join(', ')} s, ${heap >> 20} MiB\n`);
    }
    expect(await differences()).toEqual([]);
  });
});
