/** The transfers that follow from a participation `p`. */
export const HOLD = `CASE WHEN p.state = 'screened_out' THEN 0 ELSE p.held END`;
export const SETTLE = `CASE WHEN p.state IN ('submitted', 'reversed') THEN p.reward ELSE 0 END`;
export const RELEASE = `
  CASE WHEN p.state IN ('open', 'screened_out') THEN 0 ELSE p.held - coalesce(p.reward, 0) END`;
export const REVERSE = `
  CASE WHEN p.state = 'reversed' THEN p.reward + coalesce(p.bonus, 0) ELSE 0 END`;
export const BONUS = `coalesce(p.bonus, 0)`;
export const SCREEN_OUT = `CASE WHEN p.state = 'screened_out' THEN p.held ELSE 0 END`;

/** What respondents were paid for participations `p`, without what was taken back. */
export const SPENT = `coalesce(sum(${SETTLE} - ${REVERSE} + ${SCREEN_OUT} + ${BONUS}), 0)`;

/** The counters that follow from participations `p`. */
export const COUNTERS = `
  count(*) FILTER (WHERE p.state IN ('open', 'submitted', 'reversed')) AS taken,
  count(*) FILTER (WHERE p.state IN ('submitted', 'reversed')) AS answered,
  count(*) FILTER (WHERE p.state = 'reversed') AS reversed,
  count(*) FILTER (WHERE p.state = 'abandoned') AS abandoned,
  count(*) FILTER (WHERE p.state = 'expired') AS expired,
  count(*) FILTER (WHERE p.state = 'screened_out') AS screened_out,
  coalesce(sum(${HOLD} - ${SETTLE} - ${RELEASE}), 0) AS held,
  ${SPENT} AS spent,
  coalesce(sum(${SCREEN_OUT}), 0) AS screen_out_spent,
  coalesce(sum(p.bonus) FILTER (WHERE p.state = 'submitted'), 0) AS bonus_spent`;
