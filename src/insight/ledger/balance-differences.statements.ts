/**
 * What differs in the balance of company $1: between what was funded and the recorded sum, and
 * between that and its parts, `available` and the allotments of campaigns, with what is held and
 * paid of these.
 */
export const BALANCE_DIFFERENCES = `
  SELECT NULL::text AS post_id, NULL::uuid AS participation_id, v.field, v.expected, v.found,
    NULL::text AS quota
  FROM balance AS b
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE f.kind WHEN 'fund' THEN f.amount ELSE -f.amount END), 0) AS amount
    FROM funding AS f WHERE f.company_id = $1
  ) AS f
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(g.allotment), 0) AS allotted
    FROM campaign_progress AS g WHERE g.company_id = $1 AND g.allotment IS NOT NULL
  ) AS s
  CROSS JOIN LATERAL (VALUES
    ('funded', f.amount + b.postpaid, b.funded),
    ('balance', b.funded, b.available + s.allotted)
  ) AS v (field, expected, found)
  WHERE b.company_id = $1 AND v.expected <> v.found`;
