import { Big } from 'big.js';
import { ReconciliationService } from '../../src/insight/ledger/reconciliation.service';
import { RECONCILE_COMMAND } from '../../src/insight/ledger/reconcile.commands';
import { printId } from '../../src/platform/database/identifiers';
import type { Client } from '../support/client';
import { begun, Begun, liveSurvey, submit } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { closeAs, settle, storedCompany } from '../support/settlements';

/** Operations of a run; `SETTLEMENT_OPERATIONS` sets another number. */
const OPERATIONS = Number(process.env.SETTLEMENT_OPERATIONS ?? 60);

/** What each cohort earns, by a score of it. */
const REWARDS: Readonly<Record<number, number>> = { 1: 3, 3: 40, 5: 60, 7: 80, 9: 100 };

const PLATFORMS = ['app', 'other app'];

/** Numbers that look random and are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

describe('settlements of random payments', () => {
  const company = companyForEach();

  it('add up to what was paid, for each platform and campaign', async () => {
    const owner = storedCompany(company.companyId);
    const random = numbersFrom(48);
    const clients: Client[] = [];
    for (const name of PLATFORMS) {
      clients.push(await platformClient(service, name));
    }
    const campaigns = [await liveSurvey(company), await liveSurvey(company)];
    const books = new ReconciliationService(service.dataSource);
    const expected = new Map<string, Big>();
    const settled = new Map<string, Big>();
    const lines = new Set<string>();
    const add = (sums: Map<string, Big>, key: string, amount: number) =>
      sums.set(key, (sums.get(key) ?? Big(0)).plus(amount));
    const plain = (sums: Map<string, Big>) =>
      [...sums].map(([key, sum]) => [key, sum.toFixed(2)]).toSorted();
    const paid: { place: Begun; platform: number; reward: number }[] = [];

    const read = async (platform: number, id: string) => {
      const { url, headers } = clients[platform]!;
      const response = await fetch(`${url}/svc/fielding/settlement/${id}/file`, { headers });
      return (await response.text()).trimEnd().split('\n');
    };

    const close = async (only?: number) => {
      const platform = only === undefined ? undefined : PLATFORMS[only];
      for (const closed of await settle(service.dataSource, owner, { platform })) {
        const at = PLATFORMS.indexOf(closed.platform);
        const rows = await read(at, printId('stl', closed.settlementId));
        expect(rows).toHaveLength(Number(closed.payments));
        let net = Big(0);
        for (const row of rows) {
          const { post_id, participation_id, kind, amount } = JSON.parse(row);
          const key = `${participation_id} ${kind}`;
          // Nothing is ever settled twice.
          expect([key, lines.has(key)]).toEqual([key, false]);
          lines.add(key);
          net = net.plus(amount);
          add(settled, `${closed.platform} ${post_id}`, amount);
        }
        expect(closed.net).toBe(net.toFixed(2));
      }
    };

    for (let step = 0; step < OPERATIONS; step += 1) {
      const what = random(20);
      if (what < 12) {
        const platform = random(clients.length);
        const postId = campaigns[random(campaigns.length)]!;
        const score = [1, 3, 5, 7, 9][random(5)]!;
        const place = await begun(clients[platform]!, postId, `respondent ${step}`);
        expect((await submit(clients[platform]!, place, score)).data.reward).toBe(REWARDS[score]);
        paid.push({ place, platform, reward: REWARDS[score]! });
        add(expected, `${PLATFORMS[platform]!} ${postId}`, REWARDS[score]!);
      } else if (what < 17 && paid.length > 0) {
        const [{ place, platform, reward }] = paid.splice(random(paid.length), 1) as [
          (typeof paid)[0],
        ];
        const { post_id, participation_id } = place;
        const reversal = { post_id, participation_id, reason: 'Bot' };
        const { status } = await clients[platform]!.post('/svc/fielding/reverse', reversal);
        expect(status).toBe(200);
        add(expected, `${PLATFORMS[platform]!} ${post_id}`, -reward);
      } else if (what === 17) {
        await close(random(clients.length));
      } else if (what === 18) {
        await close();
      } else {
        expect(await books.compareSettlements(owner)).toEqual([]);
      }
    }
    await close();
    expect(plain(settled)).toEqual(plain(expected));
    expect(await settle(service.dataSource, owner)).toEqual([]);
    const reconciled = RECONCILE_COMMAND.read(
      [company.companyId],
      '.',
    )({
      dataSource: service.dataSource,
      stop: new AbortController().signal,
    });
    await expect(reconciled).resolves.toMatch(/the books balance/);
  });

  it('lose nothing while respondents are paid and others close', async () => {
    const owner = storedCompany(company.companyId);
    const platform = await platformClient(service);
    const postId = await liveSurvey(company);
    let answering = 4;
    const answer = async (worker: number) => {
      for (let count = 0; count < 8; count += 1) {
        const place = await begun(platform, postId, `respondent ${worker} ${count}`);
        expect((await submit(platform, place, 9)).status).toBe(200);
      }
      answering -= 1;
    };
    const closeMeanwhile = async () => {
      while (answering > 0) {
        const { failed } = await closeAs(service.dataSource, { companyId: owner });
        expect(failed.filter((each) => !each.includes('Another run has closed'))).toEqual([]);
      }
    };
    const workers = [0, 1, 2, 3].map((worker) => answer(worker));
    await Promise.all([...workers, closeMeanwhile(), closeMeanwhile()]);
    await settle(service.dataSource, owner);
    const [row] = await service.dataSource.query(
      `SELECT sum(payments)::integer AS payments, sum(net)::integer AS net, max(to_seq) AS last,
         sum(to_seq - from_seq) AS covered
       FROM settlement WHERE company_id = $1`,
      [owner],
    );
    expect(row).toMatchObject({ payments: 32, net: 3_200, covered: row.last });
    expect(await new ReconciliationService(service.dataSource).compareSettlements(owner)).toEqual(
      [],
    );
  });
});
