import { Big } from 'big.js';
import type { DataSource, EntityManager } from 'typeorm';
import { FIRST_STORED_ID, StoredId } from '../../platform/database/identifiers';
import { LAST_ID } from '../../platform/protocol/cursor';
import { SPENT } from './expected-amounts.statements';
import { DIFFERENCES_MAXIMUM } from './ledger.dto';

/** Participations, or numbers of the log, that one statement adds up at most. */
const BATCH = 20_000;

/** Where the settlements of each platform end. */
const ENDS = `
  SELECT platform, max(to_seq) AS to_seq FROM settlement WHERE company_id = $1 GROUP BY platform`;

/** The last number of the log, and the one up to which everything is in settlements. */
const LOG = `
  SELECT s.last_seq, coalesce((
    SELECT p.seq FROM settlement_position AS p WHERE p.company_id = $1
  ), 0) AS settled
  FROM event_sequence AS s WHERE s.company_id = $1`;

const SETTLED = `
  SELECT l.campaign_id, s.platform, sum(l.net) AS amount
  FROM settlement AS s
  JOIN settlement_line AS l ON l.company_id = $1 AND l.settlement_id = s.settlement_id
  WHERE s.company_id = $1 GROUP BY l.campaign_id, s.platform`;

/**
 * Adds up what is in no settlement, in a part of the log: after the end of each platform ($4, $5),
 * and after $6 of the other platforms.
 */
const UNSETTLED = `
  SELECT p.campaign_id, p.platform, sum(p.amount) AS amount
  FROM payments($1, $2, $3) AS p
  LEFT JOIN unnest($4::text[], $5::bigint[]) AS e (platform, seq) ON e.platform = p.platform
  WHERE coalesce(p.seq, ${LAST_ID}) > greatest(coalesce(e.seq, $6::bigint), $7::bigint)
  GROUP BY p.campaign_id, p.platform`;

/** Adds up what participations say, after participation $3 of campaign $2. */
const BOOKED = `
  SELECT p.campaign_id, p.platform, ${SPENT} AS amount, max(p.participation_id::text) AS last,
    count(*)::integer AS number
  FROM (
    SELECT o.campaign_id, o.participation_id, o.platform, o.state, o.held, o.reward, o.bonus
    FROM participation AS o
    WHERE o.company_id = $1 AND (o.campaign_id, o.participation_id) > ($2::bigint, $3::uuid)
    ORDER BY o.campaign_id, o.participation_id LIMIT ${BATCH}
  ) AS p
  GROUP BY p.campaign_id, p.platform ORDER BY p.campaign_id, last`;

const POST_ID = 'SELECT post_id FROM campaign WHERE company_id = $1 AND id = $2';

/** What is settled of a campaign and a platform, and what is not, differs from the books. */
export interface SettlementDifference {
  post_id: string;
  platform: string;
  /** What the participations say, an exact decimal. */
  expected: string;
  /** What the settlements have, with what is in none yet. */
  found: string;
}

interface Sum {
  campaign_id: string;
  platform: string;
  amount: string;
}

/** Amounts by campaign and platform. */
class Amounts {
  private readonly amounts = new Map<string, Sum>();

  add(sums: readonly Sum[], sign: 1 | -1): void {
    for (const { campaign_id, platform, amount } of sums) {
      const key = `${campaign_id} ${platform}`;
      const before = this.amounts.get(key)?.amount ?? 0;
      const after = Big(before).plus(Big(amount).times(sign)).toFixed();
      this.amounts.set(key, { campaign_id, platform, amount: after });
    }
  }

  get(campaign_id: string, platform: string): string {
    return this.amounts.get(`${campaign_id} ${platform}`)?.amount ?? '0';
  }

  all(): Sum[] {
    return [...this.amounts.values()];
  }
}

/**
 * Compares the settlements of a company, and what is in none yet, with what its participations say,
 * for each campaign and platform. It costs one short statement if the company has no settlements.
 * The statements read one snapshot, so what happens meanwhile makes no difference.
 */
export function compareSettlements(
  dataSource: DataSource,
  companyId: StoredId,
): Promise<SettlementDifference[]> {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const ends: { platform: string; to_seq: string }[] = await manager.query(ENDS, [companyId]);
    if (ends.length === 0) {
      return [];
    }
    const [{ last_seq, settled }]: [{ last_seq: string; settled: string }] = await manager.query(
      LOG,
      [companyId],
    );
    // A platform without settlements has nothing before "settled". Before the first run for all
    // platforms, nothing is known of it.
    const isCompared = (platform: string) =>
      Number(settled) > 0 || ends.some((end) => end.platform === platform);
    const found = new Amounts();
    found.add(await manager.query(SETTLED, [companyId]), 1);
    const parameters = [
      ends.map(({ platform }) => platform),
      ends.map(({ to_seq }) => to_seq),
      Number(settled) > 0 ? settled : LAST_ID,
      settled,
    ];
    const first = Math.min(...ends.map(({ to_seq }) => Number(to_seq)));
    const last = Number(last_seq);
    for (let after = Number(settled) || first; after <= last; after += BATCH) {
      const through = after + BATCH > last ? null : after + BATCH;
      found.add(await manager.query(UNSETTLED, [companyId, after, through, ...parameters]), 1);
    }
    const expected = await bookedOf(manager, companyId);
    const differing = new Amounts();
    differing.add(expected.all(), 1);
    differing.add(found.all(), -1);
    const differences: SettlementDifference[] = [];
    for (const { campaign_id, platform, amount } of differing.all()) {
      if (Big(amount).eq(0) || !isCompared(platform)) {
        continue;
      }
      if (differences.length === DIFFERENCES_MAXIMUM) {
        break;
      }
      const [{ post_id }]: [{ post_id: string }] = await manager.query(POST_ID, [
        companyId,
        campaign_id,
      ]);
      const of = [campaign_id, platform] as const;
      differences.push({
        post_id,
        platform,
        expected: expected.get(...of),
        found: found.get(...of),
      });
    }
    return differences;
  });
}

async function bookedOf(manager: EntityManager, companyId: StoredId): Promise<Amounts> {
  const booked = new Amounts();
  let after: unknown[] | undefined = ['0', FIRST_STORED_ID];
  while (after !== undefined) {
    const sums: (Sum & { last: string; number: number })[] = await manager.query(BOOKED, [
      companyId,
      ...after,
    ]);
    booked.add(sums, 1);
    const end = sums.at(-1);
    const number = sums.reduce((all, sum) => all + sum.number, 0);
    after = end !== undefined && number === BATCH ? [end.campaign_id, end.last] : undefined;
  }
  return booked;
}

/** Returns a difference in one line, as operators read it. */
export function printSettlementDifference(difference: SettlementDifference): string {
  const { post_id, platform, expected, found } = difference;
  return `${post_id} (platform ${platform}): settled and to settle are ${found}, expected ${expected}`;
}
