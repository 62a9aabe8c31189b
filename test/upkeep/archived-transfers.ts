import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Big } from 'big.js';
import type { DataSource } from 'typeorm';
import { archive, ArchiveRun } from '../../src/operations/archive/archive-run';
import { verify } from '../../src/operations/archive/verify';
import * as archives from '../support/archives';
import { payBonus } from '../support/disputes';
import { companyForEach, platformForAll } from '../support/fixtures';
import { violated } from '../support/constraints';
import { temporaryDirectory } from '../support/databases';
import {
  begun,
  Begun,
  expectReconciled,
  expire,
  liveSurvey,
  start,
  submit,
} from '../support/fielding';
import { serviceForAll } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { tamper } from '../support/tampering';
import { pagesOf } from '../support/pages';
import { expectError } from '../support/refusals';

/** Later than everything that a test does. */
const LATER = new Date(Date.now() + 3_600_000);

interface Transfer {
  post_id: string;
  participation_id: string;
  kind: string;
  amount: number;
  released: number;
  created_at: string;
}

describe('an archive of transfers', () => {
  const service = serviceForAll();
  const platform = platformForAll(service);
  beforeEach(() => archives.forgetCompanies(service.dataSource));

  const company = companyForEach(service);
  let folder: string;

  beforeEach(() => {
    folder = temporaryDirectory();
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (before = LATER, dataSource?: DataSource, to = folder): Promise<ArchiveRun> =>
    archive(dataSource ?? service.dataSource, to, { before, stop: new AbortController().signal });

  const archived = (from = folder): Transfer[] =>
    archives.rowsOf(from, company.companyId, 'transfers');

  const query = (statement: string, ...parameters: unknown[]): Promise<any[]> =>
    service.dataSource.query(statement, [storedEnvironment(company.companyId), ...parameters]);

  const change = (statement: string): Promise<unknown> =>
    tamper(service.dataSource, (session) =>
      session.query(statement, [storedEnvironment(company.companyId)]),
    );

  async function list(filters: Record<string, string> = {}) {
    const search = new URLSearchParams({ limit: '4', ...filters });
    const pages = await pagesOf(company.api, `/svc/ledger/list?${search.toString()}`);
    const archived: boolean[] = pages.map((page) => page.archived);
    expect(archived.slice(0, -1)).not.toContain(true);
    const items: Transfer[] = pages.flatMap((page) => page.items);
    return { items, archived: archived.at(-1) };
  }

  const stop = async (post_id: string) => {
    const { status } = await company.api.patch('/svc/campaign/toggle-live', {
      post_id,
      is_live: false,
    });
    expect(status).toBe(200);
  };

  const reverse = async ({ post_id, participation_id }: Begun) => {
    const reversal = { post_id, participation_id, reason: 'Bot' };
    const { status } = await platform.post('/svc/fielding/reverse', reversal);
    expect(status).toBe(200);
  };

  let people = 0;
  const beginOne = (postId: string) => begun(platform, postId, `respondent ${(people += 1)}`);

  async function answer(postId: string, ...scores: number[]): Promise<Begun[]> {
    const begins: Begun[] = [];
    for (const score of scores) {
      const begin = await beginOne(postId);
      expect((await submit(platform, begin, score)).status).toBe(200);
      begins.push(begin);
    }
    return begins;
  }

  /** A stopped campaign with two responses and one that is reversed, abandoned and expired each. */
  async function closedCampaign(): Promise<{ postId: string; paid: Begun }> {
    const postId = await liveSurvey(company);
    const [paid, , fraud] = await answer(postId, 9, 3, 5);
    await reverse(fraud!);
    for (const isLate of [false, true]) {
      const { post_id, participation_id } = await beginOne(postId);
      if (isLate) {
        await expire(service.dataSource, participation_id);
      }
      await platform.post('/svc/fielding/abandon', { post_id, participation_id });
    }
    await stop(postId);
    return { postId, paid: paid! };
  }

  const byKey = (a: Transfer, b: Transfer) =>
    `${a.participation_id} ${a.kind}` < `${b.participation_id} ${b.kind}` ? -1 : 1;

  /** Expects the sums of these transfers in the carried balance, and no others. */
  async function expectCarried(transfers: Transfer[]): Promise<void> {
    const carried = await query(
      `SELECT kind, sum(transfers)::integer AS transfers, sum(amount)::text AS amount,
         sum(released)::text AS released
       FROM carried_balance WHERE company_id = $1 GROUP BY kind ORDER BY kind`,
    );
    const kinds = [...new Set(transfers.map(({ kind }) => kind))].toSorted();
    const sum = (rows: Transfer[], field: 'amount' | 'released') =>
      rows.reduce((total, row) => total.plus(row[field]), Big(0)).toFixed(2);
    expect(carried).toEqual(
      kinds.map((kind) => {
        const own = transfers.filter((transfer) => transfer.kind === kind);
        return {
          kind,
          transfers: own.length,
          amount: sum(own, 'amount'),
          released: sum(own, 'released'),
        };
      }),
    );
  }

  const differences = async () => {
    const { body } = await company.api.get('/svc/ledger/reconcile');
    return body.data.differences.map((each: any) => [
      each.participation_id,
      each.field,
      Number((each.found - each.expected).toFixed(2)),
    ]);
  };

  // The first one: its many runs pass every company that there is.
  it('carries each transfer once, wherever a run is interrupted', async () => {
    await closedCampaign();
    await closedCampaign();
    const { items } = await list();
    const interruptions = await archives.interruptions(
      service.dataSource,
      (interrupted) => run(LATER, interrupted),
      () => expectReconciled(company.api),
    );
    expect(interruptions).toBeGreaterThan(8);
    expect(archived().toSorted(byKey)).toEqual(items.toSorted(byKey));
    await expectCarried(items);
    expect(await list()).toEqual({ items: [], archived: true });
  });

  it('has what the list returned of closed campaigns, and carries their balance', async () => {
    const { postId } = await closedCampaign();
    const before = await list();
    expect([before.items.length, before.archived]).toEqual([11, false]);
    expect((await run()).rows.transfers).toBeGreaterThanOrEqual(11);
    expect(archived()).toEqual(before.items.toReversed());
    await expectCarried(before.items);
    expect(await expectReconciled(company.api)).toEqual(expect.objectContaining({ checked: 5 }));
    expect((await verify(folder)).problems).toEqual([]);

    expect(await list()).toEqual({ items: [], archived: true });
    expect(await list({ post_id: postId })).toEqual({ items: [], archived: true });
    const other = await liveSurvey(company);
    expect((await list({ post_id: other })).archived).toBe(false);
    const unknown = await company.api.get('/svc/ledger/list?post_id=post_unknown');
    expectError(unknown, 404, 'campaign_not_found');
    const [{ created_at: last }] = before.items as [Transfer];
    const { created_at: first } = before.items.at(-1)!;
    expect((await list({ created_after: last })).archived).toBe(false);
    expect((await list({ created_before: first })).archived).toBe(false);
    expect((await list({ created_after: first, created_before: last })).archived).toBe(true);
    expect((await run()).rows.transfers).toBe(0);
  });

  it('carries what is stored, although the folder has another transfer, as after a restore', async () => {
    const { paid } = await closedCampaign();
    const [{ rows }] = await query(
      'SELECT json_agg(t)::text AS rows FROM transfer AS t WHERE company_id = $1',
    );
    await run();
    const key = [storedEnvironment(company.companyId), paid.participation_id];
    await tamper(service.dataSource, async (session) => {
      await session.query('DELETE FROM carried_balance WHERE company_id = $1', key.slice(0, 1));
      await session.query(
        'INSERT INTO transfer SELECT * FROM json_populate_recordset(NULL::transfer, $1)',
        [rows],
      );
      await session.query(
        `UPDATE transfer SET amount = amount - 1
         WHERE company_id = $1 AND participation_id = stored_id($2) AND kind = 'settle'`,
        key,
      );
    });
    const { items } = await list();
    await run();
    await expectCarried(items);
    expect(archived()).toHaveLength(items.length + 1);
    expect(await list()).toEqual({ items: [], archived: true });
  });

  it('adds to the balance what happens to the campaign later', async () => {
    const { postId, paid } = await closedCampaign();
    const { items: before } = await list();
    await run();
    await start(company.api, postId);
    await reverse(paid);
    await answer(postId, 7);
    const { items: since } = await list();
    expect(since.map(({ kind }) => kind)).toEqual(['settle', 'hold', 'reverse']);
    await expectReconciled(company.api);
    expect((await run()).rows.transfers).toBe(0);
    await stop(postId);
    await run();
    expect(archived().toSorted(byKey)).toEqual([...before, ...since].toSorted(byKey));
    await expectCarried([...before, ...since]);
    await expectReconciled(company.api);
  });

  it('carries bonuses, and those that are paid once the transfers are archived', async () => {
    const postId = await liveSurvey(company);
    const [ann, bob] = (await answer(postId, 9, 9)) as [Begun, Begun];
    expect((await payBonus(company.api, ann, 5, 'b-1')).status).toBe(200);
    await stop(postId);
    await run();
    expect(await list()).toEqual({ items: [], archived: true });
    await expectReconciled(company.api);
    expect((await payBonus(company.api, bob, 7, 'b-2')).status).toBe(200);
    expect((await payBonus(company.api, ann, 5, 'b-1')).data.amount).toBe(5);
    await reverse(ann);
    await expectReconciled(company.api);
    await run();
    await expectCarried(archived());
    expect(archived().flatMap(({ kind, amount }) => (kind === 'bonus' ? [amount] : []))).toEqual([
      5, 7,
    ]);
    await expectReconciled(company.api);
  });

  it('leaves campaigns that are live, being answered, or too young', async () => {
    const live = await liveSurvey(company);
    await answer(live, 9);
    const answering = await liveSurvey(company);
    await answer(answering, 9);
    const open = await beginOne(answering);
    await stop(answering);
    const { postId: young } = await closedCampaign();
    const { items } = await list();
    const [{ created_at: youngest }] = items as [Transfer];
    expect((await run(new Date(youngest))).rows.transfers).toBe(0);
    // Changed later than its last transfer.
    const { body } = await company.api.patch('/svc/campaign/update', {
      post_id: young,
      title: 'B',
    });
    const { updated_at } = (await company.api.get(`/svc/campaign/${young}`)).body.data;
    expect([body.success, updated_at > youngest]).toEqual([true, true]);
    expect((await run(new Date(updated_at))).rows.transfers).toBe(0);
    await run();
    const isYoung = ({ post_id }: Transfer) => post_id === young;
    expect(archived()).toEqual(items.filter(isYoung).toReversed());
    expect((await list()).items).toEqual(items.filter((each) => !isYoung(each)));
    expect((await submit(platform, open, 5)).status).toBe(200);
    await run();
    expect((await list()).items.map(({ post_id }) => post_id)).toEqual([live, live]);
    await expectReconciled(company.api);
  });

  it.each([
    [
      'a carried balance that was changed',
      `UPDATE carried_balance SET amount = amount + 0.01 WHERE company_id = $1 AND kind = 'settle'`,
      [[null, 'settle', 0.01]],
    ],
    [
      'what settlements gave back, changed',
      `UPDATE carried_balance SET released = released - 0.01
       WHERE company_id = $1 AND kind = 'settle'`,
      [[null, 'release', -0.01]],
    ],
    [
      'a carried balance that was lost',
      `DELETE FROM carried_balance WHERE company_id = $1 AND kind = 'reverse'`,
      [[null, 'reverse', -60]],
    ],
    [
      'a transfer that was lost later',
      `DELETE FROM transfer WHERE company_id = $1 AND kind = 'settle'`,
      [
        [null, 'release', -20],
        [null, 'settle', -80],
      ],
    ],
  ])('does not hide %s', async (_, statement, found) => {
    const { postId } = await closedCampaign();
    await run();
    await start(company.api, postId);
    await answer(postId, 7);
    expect(await differences()).toEqual([]);
    await change(statement);
    expect((await differences()).toSorted()).toEqual(found);
  });

  it('does not hide a transfer of another amount', async () => {
    const { postId } = await closedCampaign();
    await run();
    await start(company.api, postId);
    const [{ participation_id }] = (await answer(postId, 7)) as [Begun];
    await change(`UPDATE transfer SET amount = 81 WHERE company_id = $1 AND kind = 'settle'`);
    expect(await differences()).toEqual([[participation_id, 'settle', 1]]);
  });

  it('leaves a campaign that is started before its transfers are removed', async () => {
    const { postId } = await closedCampaign();
    const { items } = await list();
    const send = service.dataSource.query.bind(service.dataSource);
    const spy = jest.spyOn(service.dataSource, 'query').mockImplementation(async (...args) => {
      if (args[0].includes('carry_transfers') && (args[1] as unknown[])[1] === postId) {
        spy.mockRestore();
        await start(company.api, postId);
      }
      return send(...args);
    });
    await run();
    expect(archived()).toHaveLength(items.length);
    expect(await list()).toEqual({ items, archived: false });
    await stop(postId);
    await run();
    await expectCarried(items);
    await expectReconciled(company.api);
    expect(await list()).toEqual({ items: [], archived: true });
  });

  it('is right beside reversals, responses and another archive', async () => {
    const campaigns = [await closedCampaign(), await closedCampaign(), await closedCampaign()];
    const { items: before } = await list();
    const other = temporaryDirectory();
    const busy = async ({ postId, paid }: (typeof campaigns)[number]) => {
      await reverse(paid);
      await start(company.api, postId);
      await answer(postId, 9);
      await stop(postId);
    };
    // One that reads the events that the other one removes fails, and removes none.
    const untilDone = (to: string): Promise<unknown> =>
      run(LATER, undefined, to).catch((error: unknown) => {
        expect(String(error)).toContain('nothing is removed');
        return untilDone(to);
      });
    await Promise.all([
      untilDone(folder),
      untilDone(other),
      ...campaigns.map((campaign) => busy(campaign)),
    ]);
    await expectReconciled(company.api);
    await run();
    await expectReconciled(company.api);
    const keys = (rows: Transfer[]) =>
      new Set(rows.map((row) => `${row.participation_id} ${row.kind}`));
    // One of them may have found nothing left.
    const folders = [folder, other].filter((each) => existsSync(join(each, company.companyId)));
    const all = keys(folders.flatMap((each) => archived(each)));
    rmSync(other, { recursive: true });
    expect(all.size).toBe(before.length + campaigns.length * 3);
    const [{ transfers }] = await query(
      'SELECT sum(transfers)::integer AS transfers FROM carried_balance WHERE company_id = $1',
    );
    expect([transfers, await list()]).toEqual([all.size, { items: [], archived: true }]);
  });

  it('is the only way to remove a transfer, also in its transaction', async () => {
    const { postId, paid } = await closedCampaign();
    const left = service.dataSource.transaction(async (manager) => {
      const ids = [storedEnvironment(company.companyId), postId, paid.participation_id];
      const [{ amount, created_at }] = await manager.query(
        `SELECT amount, created_at FROM transfer
         WHERE company_id = $1 AND participation_id = stored_id($2) AND kind = 'hold'`,
        [ids[0], ids[2]],
      );
      const [{ carried }] = await manager.query(
        `SELECT carry_transfers($1, $2, ARRAY[stored_id($3)], '{hold}', ARRAY[$4::numeric],
           ARRAY[$5::timestamptz], $6) AS carried`,
        [...ids, amount, created_at, LATER],
      );
      expect(carried).toBe(1);
      await manager.query('DELETE FROM transfer WHERE company_id = $1', ids.slice(0, 1));
    });
    expect(await violated(left)).toBe('transfer_permanent');
    await expectReconciled(company.api);
  });
});
