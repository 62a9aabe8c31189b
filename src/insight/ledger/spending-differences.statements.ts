/**
 * What differs in what the keys of company $1 have committed in the current periods of their
 * limits: between what campaigns were charged to them and the recorded sum.
 */
export const SPENDING_DIFFERENCES = `
  SELECT NULL::text AS post_id, NULL::uuid AS participation_id, 'committed' AS field,
    c.amount AS expected, coalesce(s.committed, 0) AS found, NULL::text AS quota
  FROM (
    SELECT DISTINCT l.spender, l.per FROM key_limit AS l
    WHERE l.company_id = $1 AND l.amount IS NOT NULL
  ) AS l
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(o.amount), 0) AS amount FROM campaign_charge AS o
    WHERE o.company_id = $1 AND o.spender = l.spender
      AND o.day >= spending_starts(l.per, utc_day())
  ) AS c
  LEFT JOIN key_spending AS s ON s.company_id = $1 AND s.spender = l.spender
    AND s.period = spending_period(l.per, utc_day())
  WHERE coalesce(s.committed, 0) <> c.amount`;
