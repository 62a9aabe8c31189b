import { DIFFERENCES_MAXIMUM } from './ledger.dto';

/** Names the campaigns of differences. */
export const named = (differences: string) => `
  SELECT o.post_id, d.participation_id, d.field, d.expected, d.found, d.quota
  FROM (
    ${differences} ORDER BY campaign_id, participation_id, quota LIMIT ${DIFFERENCES_MAXIMUM}
  ) AS d
  CROSS JOIN LATERAL (
    SELECT g.post_id FROM campaign AS g WHERE g.company_id = $1 AND g.id = d.campaign_id LIMIT 1
  ) AS o`;

/** Whether a participation `p` counts in its cells: one that is reversed has left them. */
export const COUNTS = `p.state IN ('open', 'submitted')`;

/** How many participations `p` count in each cell. */
export const IN_CELLS = `
  u.cell, count(*) AS taken, count(*) FILTER (WHERE p.state = 'submitted') AS submitted`;

/** What differs between how many count in the cells of some campaigns and what the cells say. */
export const cellDifferences = (counted: string, condition: string) => `
  SELECT s.campaign_id, NULL::uuid AS participation_id, v.field, v.expected, v.found, s.quota
  FROM (
    SELECT m.campaign_id, max(m.name) AS quota, sum(m.taken) AS taken,
      sum(m.submitted) AS submitted, sum(m.found_taken) AS found_taken,
      sum(m.found_submitted) AS found_submitted
    FROM (
      SELECT c.campaign_id, c.cell, NULL AS name, c.taken, c.submitted, 0 AS found_taken,
        0 AS found_submitted
      FROM (${counted}) AS c
      UNION ALL
      SELECT q.campaign_id, q.cell, q.name, 0, 0, coalesce((
          SELECT g.taken[q.cell] FROM cell_counts AS g
          WHERE g.company_id = $1 AND g.campaign_id = q.campaign_id LIMIT 1
        ), 0), q.submitted
      FROM quota_cell AS q WHERE q.company_id = $1 AND ${condition}
    ) AS m
    GROUP BY m.campaign_id, m.cell
  ) AS s
  CROSS JOIN LATERAL (VALUES
    ('quota_taken', s.taken, s.found_taken), ('quota_submitted', s.submitted, s.found_submitted)
  ) AS v (field, expected, found)
  WHERE v.expected <> v.found`;

/** Counts who counts in the cells, in a part of a campaign: participations after $3, up to $4. */
export const COUNT_CELLS = `
  SELECT ${IN_CELLS}
  FROM participation AS p CROSS JOIN LATERAL unnest(p.cells) AS u (cell)
  WHERE p.company_id = $1 AND p.campaign_id = $2::bigint
    AND p.participation_id > $3::uuid AND p.participation_id <= $4::uuid
    AND ${COUNTS}
  GROUP BY u.cell`;

/** Compares the cells of a campaign with what was counted in them. */
export const COMPARE_CELLS = named(
  cellDifferences(
    `SELECT $2::bigint AS campaign_id, n.cell, n.taken, n.submitted
     FROM unnest($3::smallint[], $4::bigint[], $5::bigint[]) AS n (cell, taken, submitted)`,
    'q.campaign_id = $2::bigint',
  ),
);
