/**
 * Keeps the evaluation from storing anything until this transaction ends, and from storing
 * afterwards what it has computed for the guardrails before. It also lets one request at a time
 * change a company's guardrails. A company's first guardrail begins where the log ends.
 */
export const LOCK = `
  INSERT INTO guardrail_position AS p (company_id, seq, revision) VALUES ($1, $2, $3)
  ON CONFLICT (company_id) DO UPDATE SET revision = excluded.revision`;

export const LAST_SEQ = 'SELECT last_seq FROM event_sequence WHERE company_id = $1';

export const TAKEN = `
  SELECT slot, campaign_slot AS "campaignSlot", post_id AS "postId" FROM guardrail
  WHERE company_id = $1`;

/** Lets a guardrail watch one campaign from an event on, as if it had never watched it before. */
export const ARM_CAMPAIGN = `
  INSERT INTO guardrail_watch AS w (company_id, guardrail_id, post_id, since_seq)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (company_id, post_id, guardrail_id) DO UPDATE
  SET since_seq = excluded.since_seq, state = NULL`;

export const DELETE = 'DELETE FROM guardrail WHERE company_id = $1 AND guardrail_id = $2';

/** Without a guardrail left, nothing reads the log for the company any more. */
export const FORGET = `
  DELETE FROM guardrail_position AS p
  WHERE p.company_id = $1
    AND NOT EXISTS (SELECT FROM guardrail AS g WHERE g.company_id = $1)`;

/** What is `null` stays as it is. */
export const CHANGE = `
  UPDATE guardrail SET name = coalesce($3, name), action = coalesce($4, action),
    conditions = coalesce($5::jsonb, conditions), since_seq = coalesce($6::bigint, since_seq),
    armed_seq = coalesce($7::bigint, armed_seq),
    updated_at = greatest(clock.now, guardrail.updated_at)
  FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
  WHERE company_id = $1 AND guardrail_id = $2`;

/**
 * Guardrails of a company ($1), or one of them ($2), or those that watch a campaign ($3), each with
 * the last place where it fired and is not armed again: on that campaign, or on any.
 */
export const read = (columns: string) => `
  SELECT ${columns}, last.fired
  FROM guardrail
  LEFT JOIN LATERAL (
    SELECT jsonb_build_object('seq', w.fired_seq, 'at', w.fired_at, 'post_id', w.post_id,
      'values', w.fired_values) AS fired
    FROM guardrail_watch AS w
    WHERE w.company_id = $1 AND w.guardrail_id = guardrail.guardrail_id
      AND w.fired_seq > guardrail.armed_seq AND w.fired_seq > w.since_seq
      AND ($3::text IS NULL OR w.post_id = $3)
    ORDER BY w.fired_seq DESC LIMIT 1
  ) AS last ON true
  WHERE guardrail.company_id = $1 AND ($2::text IS NULL OR guardrail.guardrail_id = $2)
    AND ($3::text IS NULL OR coalesce(guardrail.post_id, $3) = $3)
  ORDER BY guardrail.guardrail_id`;

/** The guardrails of a company ($1) that watch a campaign ($2). */
export const WATCHING = `
  SELECT g.guardrail_id, g.name, g.action AS then,
    coalesce(w.fired_seq, 0) <= greatest(g.armed_seq, w.since_seq) AS armed
  FROM guardrail AS g
  LEFT JOIN guardrail_watch AS w
    ON w.company_id = g.company_id AND w.post_id = $2 AND w.guardrail_id = g.guardrail_id
  WHERE g.company_id = $1 AND coalesce(g.post_id, $2) = $2
  ORDER BY g.guardrail_id`;

/**
 * The guardrails of a company ($1) that complete a campaign ($2), with what they remember of
 * it.
 */
export const COMPLETING = `
  SELECT g.guardrail_id, g.name, g.conditions,
    CASE WHEN w.since_seq >= g.since_seq THEN w.state END AS state,
    fired.seq::float8 AS fired_seq, fired.at AS fired_at, fired.values AS fired_values,
    fired.stopped AS fired_stopped
  FROM guardrail AS g
  LEFT JOIN guardrail_watch AS w
    ON w.company_id = g.company_id AND w.post_id = $2 AND w.guardrail_id = g.guardrail_id
  LEFT JOIN LATERAL (
    SELECT w.fired_seq AS seq, w.fired_at AS at, w.fired_values AS values,
      w.fired_stopped AS stopped
    WHERE w.fired_seq > greatest(g.armed_seq, w.since_seq)
  ) AS fired ON true
  WHERE g.company_id = $1 AND g.post_id = $2 AND g.action = 'complete'
  ORDER BY g.guardrail_id`;

/** Where each guardrail of a company ($1) has fired last on a campaign ($2). */
export const FIRINGS = `
  SELECT g.name, w.fired_at AS at, w.fired_stopped AS stopped
  FROM guardrail_watch AS w
  JOIN guardrail AS g ON g.company_id = w.company_id AND g.guardrail_id = w.guardrail_id
  WHERE w.company_id = $1 AND w.post_id = $2 AND w.fired_seq IS NOT NULL
  ORDER BY w.fired_seq, g.guardrail_id`;
