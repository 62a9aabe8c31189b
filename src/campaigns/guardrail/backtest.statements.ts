/** The first event of a company ($1) that is not in an archive, and its last one. */
export const LOG_RANGE = `
  SELECT first_seq::float8 AS first, last_seq::float8 AS last
  FROM event_sequence WHERE company_id = $1`;

/**
 * The newest campaigns of a company ($1) before an id ($2), or one of them ($3), each with how many
 * responses and reversals it has, whether guardrails that fired have stopped it (null if there are
 * none), and the number of the event that created it: null if that is in an archive, or not
 * numbered yet.
 */
export const campaignsToTry = (limit: number) => `
  SELECT c.id, c.post_id, c.status, c.stop_reason, c.currency, (
      SELECT bool_or(w.fired_stopped) FROM guardrail_watch AS w
      WHERE w.company_id = $1 AND w.post_id = c.post_id
    ) AS was_stopped,
    coalesce(g.answered, 0) AS responses, coalesce(g.reversed, 0) AS reversals,
    created.seq::float8 AS created_seq
  FROM (
    SELECT id, post_id, status, stop_reason, currency FROM campaign
    WHERE company_id = $1 AND id < $2 AND ($3::text IS NULL OR post_id = $3)
    ORDER BY id DESC LIMIT ${limit}
  ) AS c
  LEFT JOIN campaign_progress AS g ON g.company_id = $1 AND g.campaign_id = c.id
  LEFT JOIN event AS created
    ON created.company_id = $1 AND created.subject = stored_id(c.post_id) AND created.version = 1
  ORDER BY c.id DESC`;
