import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../database/transaction-context';
import { readCursor, writeCursor } from '../http/cursor';
import { DIFFERENCES_MAXIMUM } from './ledger.dto';
import type { Difference } from './ledger.types';

/** Places of campaigns that one page compares; a larger campaign is a page of its own. */
const PLACES = 100_000;

/** Campaigns that one page compares at most. */
const CAMPAIGNS = 1_000;

/** A part of the sum of a participation's transfers. */
const booked = (kind: string) =>
  `coalesce(sum(t.amount) FILTER (WHERE t.kind = '${kind}'), 0) AS ${kind}`;

/**
 * Compares, for some campaigns, what follows from the participations with the transfers and with the
 * counters. One statement reads one snapshot, so what happens meanwhile makes no difference.
 */
const RECONCILE = `
  WITH listed AS (
    SELECT g.campaign_id, g.taken, g.answered, g.held, g.spent, g.max_responses, g.budget,
      sum(g.taken) OVER (ORDER BY g.campaign_id) AS places,
      row_number() OVER (ORDER BY g.campaign_id) AS position
    FROM (
      SELECT * FROM campaign_progress AS o
      WHERE o.company_id = $1 AND o.campaign_id > $2
      ORDER BY o.campaign_id LIMIT ${CAMPAIGNS + 1}
    ) AS g
  ), chosen AS MATERIALIZED (
    SELECT * FROM listed
    WHERE position <= ${CAMPAIGNS} AND (position = 1 OR places <= ${PLACES})
  ), expected AS (
    SELECT p.campaign_id, p.participation_id, p.state, p.held AS hold,
      CASE WHEN p.state IN ('submitted', 'reversed') THEN p.reward ELSE 0 END AS settle,
      CASE WHEN p.state = 'open' THEN 0 ELSE p.held - coalesce(p.reward, 0) END AS release,
      CASE WHEN p.state = 'reversed' THEN p.reward ELSE 0 END AS reverse
    FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id IN (SELECT campaign_id FROM chosen)
  ), booked AS (
    SELECT t.campaign_id, t.participation_id, ${booked('hold')}, ${booked('settle')},
      ${booked('release')}, ${booked('reverse')}
    FROM transfer AS t
    WHERE t.company_id = $1 AND t.campaign_id IN (SELECT campaign_id FROM chosen)
    GROUP BY t.campaign_id, t.participation_id
  ), totals AS (
    SELECT e.campaign_id,
      count(*) FILTER (WHERE e.state IN ('open', 'submitted', 'reversed')) AS taken,
      count(*) FILTER (WHERE e.state IN ('submitted', 'reversed')) AS answered,
      sum(e.hold - e.settle - e.release) AS held, sum(e.settle - e.reverse) AS spent
    FROM expected AS e GROUP BY e.campaign_id
  ), differences AS (
    SELECT e.campaign_id, e.participation_id, v.field, v.expected, v.found
    FROM expected AS e
    LEFT JOIN booked AS b USING (campaign_id, participation_id)
    CROSS JOIN LATERAL (VALUES
      ('hold', e.hold, coalesce(b.hold, 0)), ('settle', e.settle, coalesce(b.settle, 0)),
      ('release', e.release, coalesce(b.release, 0)), ('reverse', e.reverse, coalesce(b.reverse, 0))
    ) AS v (field, expected, found)
    WHERE v.expected <> v.found
    UNION ALL
    SELECT c.campaign_id, NULL, v.field, v.expected, v.found
    FROM chosen AS c
    JOIN campaign AS o ON o.company_id = $1 AND o.id = c.campaign_id
    LEFT JOIN totals AS t USING (campaign_id)
    CROSS JOIN LATERAL (VALUES
      ('places_taken', coalesce(t.taken, 0)::numeric, c.taken::numeric),
      ('responses', coalesce(t.answered, 0)::numeric, c.answered::numeric),
      ('money_held', coalesce(t.held, 0), c.held), ('money_spent', coalesce(t.spent, 0), c.spent),
      ('max_responses', coalesce(o.max_responses, 0)::numeric, coalesce(c.max_responses, 0)::numeric),
      ('budget', coalesce(o.budget, 0), coalesce(c.budget, 0))
    ) AS v (field, expected, found)
    WHERE v.expected <> v.found
  ), named AS (
    SELECT o.post_id, d.participation_id, d.field, d.expected, d.found
    FROM differences AS d JOIN campaign AS o ON o.company_id = $1 AND o.id = d.campaign_id
    ORDER BY d.campaign_id, d.participation_id LIMIT ${DIFFERENCES_MAXIMUM}
  )
  SELECT (SELECT count(*) FROM expected)::integer AS checked,
    (SELECT max(campaign_id) FROM chosen)::text AS last,
    (SELECT count(*) FROM chosen)::integer AS campaigns,
    (SELECT count(*) FROM listed)::integer AS found,
    (SELECT coalesce(jsonb_agg(to_jsonb(named)), '[]') FROM named) AS differences`;

interface Row {
  checked: number;
  last: string | null;
  campaigns: number;
  found: number;
  differences: Difference[];
}

/** What a reconciliation has found. */
export interface Reconciliation {
  /** The number of participations that were compared. */
  checked: number;
  differences: Difference[];
  /** Cursor of further campaigns; `null` after the last one. */
  nextCursor: string | null;
}

@Injectable()
export class ReconciliationService {
  constructor(private readonly transaction: TransactionContext) {}

  /**
   * Compares the ledger of an environment with its participations and counters.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by a reconciliation
   */
  async reconcile(companyId: string, cursor: string | undefined): Promise<Reconciliation> {
    const list = { companyId, reconcile: true };
    const [after = '0'] = cursor === undefined ? [] : readCursor(cursor, list, ['number']);
    const [row] = await this.transaction.manager.query<[Row]>(RECONCILE, [companyId, after]);
    const { checked, last, campaigns, found, differences } = row;
    const nextCursor = last !== null && found > campaigns ? writeCursor([last], list) : null;
    return { checked, differences, nextCursor };
  }
}
