import { cellDifferences, COUNTS, IN_CELLS, named } from './cell-differences.statements';
import {
  BONUS,
  COUNTERS,
  HOLD,
  RELEASE,
  REVERSE,
  SCREEN_OUT,
  SETTLE,
} from './expected-amounts.statements';
import { TRANSFER_KINDS } from './ledger.types';

/** Participations and campaigns that one page compares at most. */
const PARTICIPATIONS = 10_000;
const CAMPAIGNS = 1_000;

/** Participations that one statement adds up at most. */
const BATCH = 50_000;

const booked = (kind: string) =>
  `coalesce(sum(t.amount) FILTER (WHERE t.kind = '${kind}'), 0) AS ${kind}`;

/**
 * What differs between some participations and their transfers. An aggregate beside each
 * participation is always read from the index of the primary key; a join could compare everything
 * with everything.
 */
const transferDifferences = (participations: string) => `
  SELECT p.campaign_id, p.participation_id, v.field, v.expected, v.found, NULL::text AS quota
  FROM (${participations}) AS p
  CROSS JOIN LATERAL (
    SELECT ${['hold', 'settle', 'reverse', 'screen_out', 'bonus'].map(booked).join(', ')},
      coalesce(sum(t.released + CASE t.kind WHEN 'release' THEN t.amount ELSE 0 END), 0) AS release
    FROM transfer AS t
    WHERE t.company_id = $1 AND t.campaign_id = p.campaign_id
      AND t.participation_id = p.participation_id
  ) AS b
  CROSS JOIN LATERAL (VALUES
    ('hold', ${HOLD}, b.hold), ('settle', ${SETTLE}, b.settle),
    ('release', ${RELEASE}, b.release), ('reverse', ${REVERSE}, b.reverse),
    ('screen_out', ${SCREEN_OUT}, b.screen_out), ('bonus', ${BONUS}, b.bonus)
  ) AS v (field, expected, found)
  WHERE v.expected <> v.found`;

/** The carried balances of some campaigns: what their archived transfers amount to. */
const carriedBalances = (condition: string) => `
  SELECT b.campaign_id, v.field, v.amount
  FROM carried_balance AS b
  CROSS JOIN LATERAL (VALUES (b.kind, b.amount), ('release', b.released)) AS v (field, amount)
  WHERE b.company_id = $1 AND ${condition}`;

/** What differs between the transfers that campaigns lack and their carried balances. */
const carriedDifferences = (missing: string, carried: string) => `
  SELECT s.campaign_id, NULL::uuid AS participation_id, s.field, sum(s.expected) AS expected,
    sum(s.found) AS found, NULL::text AS quota
  FROM (
    SELECT m.campaign_id, m.field, m.expected, 0 AS found FROM (${missing}) AS m
    UNION ALL
    SELECT c.campaign_id, c.field, 0, c.amount FROM (${carried}) AS c
  ) AS s
  GROUP BY s.campaign_id, s.field HAVING sum(s.expected) <> sum(s.found)`;

/**
 * What differs between counters that follow from participations and the recorded ones, and between
 * the limits beside them and the campaign's own. There may be several rows for a campaign.
 */
const counterDifferences = (counters: string) => `
  SELECT e.campaign_id, NULL::uuid AS participation_id, v.field, v.expected, v.found,
    NULL::text AS quota
  FROM (
    SELECT campaign_id, sum(taken) AS taken, sum(answered) AS answered, sum(reversed) AS reversed,
      sum(abandoned) AS abandoned, sum(expired) AS expired, sum(screened_out) AS screened_out,
      sum(held) AS held, sum(spent) AS spent, sum(screen_out_spent) AS screen_out_spent,
      sum(bonus_spent) AS bonus_spent
    FROM (${counters}) AS part GROUP BY campaign_id
  ) AS e
  CROSS JOIN LATERAL (
    SELECT g.taken, g.answered, g.reversed, g.abandoned, g.expired, g.screened_out, g.held, g.spent,
      g.screen_out_spent, g.bonus_spent, g.max_responses, g.budget
    FROM campaign_progress AS g
    WHERE g.company_id = $1 AND g.campaign_id = e.campaign_id LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (
    SELECT g.max_responses, g.budget FROM campaign AS g
    WHERE g.company_id = $1 AND g.id = e.campaign_id LIMIT 1
  ) AS o
  CROSS JOIN LATERAL (VALUES
    ('places_taken', e.taken, c.taken::numeric), ('responses', e.answered, c.answered::numeric),
    ('reversed', e.reversed, c.reversed::numeric),
    ('abandoned', e.abandoned, c.abandoned::numeric), ('expired', e.expired, c.expired::numeric),
    ('screened_out', e.screened_out, c.screened_out::numeric),
    ('money_held', e.held, c.held), ('money_spent', e.spent, c.spent),
    ('money_screen_outs', e.screen_out_spent, c.screen_out_spent),
    ('money_bonuses', e.bonus_spent, c.bonus_spent),
    ('max_responses', coalesce(o.max_responses, 0)::numeric, coalesce(c.max_responses, 0)::numeric),
    ('budget', coalesce(o.budget, 0), coalesce(c.budget, 0))
  ) AS v (field, expected, found)
  WHERE v.expected <> v.found`;

/** Whether the whole campaign of a row is on the page. Their identifiers are next to each other. */
const IS_WHOLE = (row: string) =>
  `${row}.campaign_id BETWEEN (SELECT min(campaign_id) FROM whole)
    AND (SELECT max(campaign_id) FROM whole)`;

/**
 * Compares the participations of company $1 after participation $3 of campaign $2 with their
 * transfers, and the counters and cells of the campaigns that begin and end on this page. One
 * statement reads one snapshot, so what happens meanwhile makes no difference.
 *
 * A transfer that a participation lacks is a difference only in a campaign without a carried
 * balance; in others, all that are missing must amount to the balance.
 *
 * `campaign` is where the next page begins, null after the last one; with `participation`, this
 * page ends within the campaign.
 */
export const PAGE = `
  WITH listed AS MATERIALIZED (
    SELECT g.campaign_id FROM campaign_progress AS g
    WHERE g.company_id = $1 AND g.campaign_id >= $2::bigint
    ORDER BY g.campaign_id LIMIT ${CAMPAIGNS + 1}
  ), beyond AS MATERIALIZED (
    SELECT campaign_id FROM listed ORDER BY campaign_id OFFSET ${CAMPAIGNS}
  ), read AS MATERIALIZED (
    SELECT p.campaign_id, p.participation_id, p.state, p.held, p.reward, p.bonus, p.cells,
      row_number() OVER (ORDER BY p.campaign_id, p.participation_id) AS position
    FROM (
      SELECT o.campaign_id, o.participation_id, o.state, o.held, o.reward, o.bonus, o.cells
      FROM participation AS o
      WHERE o.company_id = $1 AND (o.campaign_id, o.participation_id) > ($2::bigint, $3::uuid)
        AND o.campaign_id < coalesce((SELECT campaign_id FROM beyond), 9223372036854775807)
      ORDER BY o.campaign_id, o.participation_id LIMIT ${PARTICIPATIONS + 1}
    ) AS p
  ), next AS MATERIALIZED (
    SELECT coalesce(n.campaign_id, (SELECT campaign_id FROM beyond)) AS campaign_id,
      (SELECT participation_id FROM read
       WHERE position = ${PARTICIPATIONS} AND campaign_id = n.campaign_id) AS participation_id
    FROM (SELECT) AS one
    LEFT JOIN read AS n ON n.position = ${PARTICIPATIONS + 1}
  ), page AS MATERIALIZED (
    SELECT * FROM read WHERE position <= ${PARTICIPATIONS}
  ), whole AS MATERIALIZED (
    SELECT campaign_id FROM listed
    WHERE campaign_id < coalesce((SELECT campaign_id FROM next), 9223372036854775807)
      AND (campaign_id > $2::bigint OR $4::boolean)
  ), differing AS MATERIALIZED (
    ${transferDifferences('SELECT * FROM page')}
  ), carried AS MATERIALIZED (
    ${carriedBalances(`b.campaign_id >= $2::bigint
      AND b.campaign_id <= coalesce((SELECT campaign_id FROM next), 9223372036854775807)`)}
  )
  SELECT (SELECT count(*) FROM page)::integer AS checked,
    next.campaign_id::text AS campaign, next.participation_id AS participation,
    (SELECT coalesce(jsonb_agg(to_jsonb(difference)), '[]') FROM (
      ${named(`
        SELECT * FROM differing
        WHERE found <> 0 OR campaign_id NOT IN (SELECT campaign_id FROM carried)
        UNION ALL
        ${carriedDifferences(
          `SELECT * FROM differing WHERE found = 0
             AND campaign_id IN (SELECT campaign_id FROM carried)
             AND campaign_id IN (SELECT campaign_id FROM whole)`,
          'SELECT * FROM carried WHERE campaign_id IN (SELECT campaign_id FROM whole)',
        )}
        UNION ALL
        ${counterDifferences(`
          SELECT campaign_id, 0 AS taken, 0 AS answered, 0 AS reversed, 0 AS abandoned,
            0 AS expired, 0 AS screened_out, 0 AS held, 0 AS spent, 0 AS screen_out_spent,
            0 AS bonus_spent
          FROM whole
          UNION ALL
          SELECT p.campaign_id, ${COUNTERS} FROM page AS p
          WHERE ${IS_WHOLE('p')}
          GROUP BY p.campaign_id`)}
        UNION ALL
        ${cellDifferences(
          `SELECT p.campaign_id, ${IN_CELLS}
           FROM page AS p CROSS JOIN LATERAL unnest(p.cells) AS u (cell)
           WHERE ${IS_WHOLE('p')} AND ${COUNTS} GROUP BY p.campaign_id, u.cell`,
          IS_WHOLE('q'),
        )}`)}
    ) AS difference) AS differences
  FROM next`;

/** Adds up the counters of a part of a campaign: of participations after $3. */
export const ADD_UP = `
  SELECT ${COUNTERS}, max(p.participation_id::text) AS last, count(*) = ${BATCH} AS more
  FROM (
    SELECT o.participation_id, o.state, o.held, o.reward, o.bonus FROM participation AS o
    WHERE o.company_id = $1 AND o.campaign_id = $2::bigint AND o.participation_id > $3::uuid
    ORDER BY o.participation_id LIMIT ${BATCH}
  ) AS p`;

/** Compares counters of a campaign that were added up, in this order. */
export const COUNTER_NAMES = [
  'taken',
  'answered',
  'reversed',
  'abandoned',
  'expired',
  'screened_out',
  'held',
  'spent',
  'screen_out_spent',
  'bonus_spent',
] as const;

export const COMPARE = named(
  counterDifferences(`
    SELECT $2::bigint AS campaign_id,
      ${COUNTER_NAMES.map((name, index) => `$${index + 3}::numeric AS ${name}`).join(', ')}`),
);

/** Whether a campaign has a carried balance, and cells. */
export const IS_CARRIED = `
  SELECT EXISTS (
    SELECT FROM carried_balance AS b WHERE b.company_id = $1 AND b.campaign_id = $2::bigint
  ) AS carried, EXISTS (
    SELECT FROM quota_cell AS q WHERE q.company_id = $1 AND q.campaign_id = $2::bigint
  ) AS targeted`;

/** Adds up the transfers that a part of a campaign lacks: participations after $3, up to $4. */
export const MISSING = `
  SELECT d.field, sum(d.expected) AS amount
  FROM (${transferDifferences(`
    SELECT o.campaign_id, o.participation_id, o.state, o.held, o.reward, o.bonus
    FROM participation AS o
    WHERE o.company_id = $1 AND o.campaign_id = $2::bigint
      AND o.participation_id > $3::uuid AND o.participation_id <= $4::uuid`)}
  ) AS d
  WHERE d.found = 0 GROUP BY d.field`;

/** Compares what a campaign lacks, in the order of the kinds, with its carried balance. */
export const COMPARE_CARRIED = named(
  carriedDifferences(
    `SELECT $2::bigint AS campaign_id, v.field, v.expected FROM (VALUES ${TRANSFER_KINDS.map(
      (kind, index) => `('${kind}', $${index + 3}::numeric)`,
    ).join(', ')}) AS v (field, expected)`,
    carriedBalances('b.campaign_id = $2::bigint'),
  ),
);
