/** A row if the company ($1) has guardrails. */
export const POSITION = 'SELECT 1 FROM guardrail_position WHERE company_id = $1';

/** Where the guardrails of a company ($1) are in its log, and what they are; no row without any. */
export const HEAD = `
  SELECT p.seq, p.revision, coalesce(s.last_seq, 0) AS last_seq, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('guardrail_id', g.guardrail_id,
      'post_id', g.post_id, 'name', g.name, 'conditions', g.conditions, 'then', g.action,
      'since_seq', g.since_seq, 'armed_seq', g.armed_seq)), '[]')
    FROM guardrail AS g WHERE g.company_id = $1
  ) AS rules
  FROM guardrail_position AS p
  LEFT JOIN event_sequence AS s ON s.company_id = p.company_id
  WHERE p.company_id = $1`;

/** What the guardrails of a company ($1) remember of some campaigns ($2). */
export const WATCHES = `
  SELECT guardrail_id, post_id, since_seq::float8, state, fired_seq::float8
  FROM guardrail_watch WHERE company_id = $1 AND post_id = ANY ($2)`;

/**
 * What a participation adds to what its events say: nothing of it changes after the submission,
 * except that an erasure removes the signals of quality. Their bits are those of `QUALITY_SIGNALS`.
 */
const submission = (more = '') => `
  LEFT JOIN LATERAL (
    SELECT ${more}round(part.attention_score * 100)::float8 AS score,
      round(extract(epoch FROM part.closed_at - part.begun_at) * 1000)::float8 AS milliseconds,
      coalesce(part.quality_flags, 0)
        + 16 * (part.answer_percentile IS NOT NULL)::integer
        + 32 * (part.longest_run IS NOT NULL)::integer
        + 64 * (part.consistency IS NOT NULL)::integer
        + 128 * (part.text_repeats IS NOT NULL)::integer AS quality
    FROM participation AS part
    WHERE part.company_id = $1 AND part.participation_id = event.subject
      AND part.campaign_id = (
        SELECT c.id FROM campaign AS c
        WHERE c.company_id = $1 AND c.post_id = event.changes ->> 'post_id' LIMIT 1
      )
    OFFSET 0
  ) AS submission ON true`;

/** The campaign that an event of a response, or of the campaign itself, is about. */
const POST_ID = `
  CASE WHEN event.type = 'campaign.started' THEN printed_id('post', event.subject)
    ELSE event.changes ->> 'post_id' END`;

const NO_SUBMISSION = `
  CROSS JOIN (SELECT 0 AS score, 0 AS milliseconds, 0 AS quality) AS submission`;

/**
 * What conditions look at in the answers ($5: an array of looks by campaign), by name: see
 * `answerName`.
 */
const ANSWERS = `(
      SELECT jsonb_object_agg(look.name, CASE
        WHEN look.option IS NULL THEN CASE jsonb_typeof(given.value) WHEN 'number' THEN given.value END
        WHEN jsonb_typeof(given.value) IN ('string', 'array')
          THEN to_jsonb(1 + (given.value ? look.option)::integer) END)
      FROM jsonb_to_recordset($5::jsonb -> (event.changes ->> 'post_id'))
        AS look (name text, question jsonb, option text, "row" text)
      LEFT JOIN LATERAL (
        SELECT CASE WHEN look."row" IS NULL THEN a -> 'value' ELSE a -> 'value' -> look."row" END
          AS value
        FROM jsonb_array_elements(part.answers::jsonb) AS a
        WHERE CASE jsonb_typeof(look.question) WHEN 'number' THEN a -> 'question' = look.question
          ELSE coalesce(a ->> 'key', 'q' || (a ->> 'question')) = look.question #>> '{}' END
        LIMIT 1
      ) AS given ON true
    ) AS answers, `;

/** The names of the quotas that the response counts in, or counted in before it was reversed. */
const QUOTAS = `(
      SELECT json_agg(q.name) FROM quota_cell AS q
      WHERE q.company_id = $1 AND q.campaign_id = part.campaign_id AND q.cell = ANY (part.cells)
    ) AS quotas, `;

/** What is read of each response besides its events. */
export interface Detail {
  of: 'events' | 'submissions' | 'answers';
  quotas: boolean;
}

function joined({ of, quotas }: Detail): string {
  return of === 'events' && !quotas
    ? NO_SUBMISSION
    : submission(`${of === 'answers' ? ANSWERS : ''}${quotas ? QUOTAS : ''}`);
}

/**
 * The responses, reversals and starts of campaigns of a company ($1) after one event ($2) up to
 * another one ($3), of some campaigns ($4, null for all), in the order of the log. Money is in
 * hundredths.
 *
 * @param detail whether attention scores, answering times and signals of quality are read too, and
 *   what is looked at in the answers; and whether the quotas of a response are
 */
export const logEntries = (detail: Detail) => `
  SELECT event.seq::float8, ${POST_ID} AS post_id, event.type = 'campaign.started' AS is_start,
    floor(extract(epoch FROM event.created_at) * 1000)::float8 AS at,
    CASE WHEN event.type = 'response.reversed' THEN coalesce((
      SELECT s.seq FROM event AS s
      WHERE s.company_id = $1 AND s.subject = event.subject AND s.version = 1
    ), (
      SELECT a.seq FROM archived_submission AS a
      WHERE a.company_id = $1 AND a.participation_id = event.subject
    ))::float8 END AS reverses,
    (event.changes ->> 'cohort')::integer AS cohort,
    round((event.changes ->> 'reward')::numeric * 100)::float8 AS reward,
    round((event.changes ->> 'spent')::numeric * 100)::float8 AS spent,
    ${detail.of === 'answers' ? 'submission.answers, ' : ''}
    ${detail.quotas ? 'submission.quotas, ' : ''}submission.score, submission.milliseconds,
    submission.quality
  FROM event
  ${joined(detail)}
  WHERE event.company_id = $1 AND event.seq > $2 AND event.seq <= $3
    AND event.type IN ('response.submitted', 'response.reversed', 'campaign.started')
    AND ($4::text[] IS NULL OR ${POST_ID} = ANY ($4))
  ORDER BY event.seq`;

export const ADVANCE = 'SELECT advance_guardrails($1, $2, $3, $4, $5, $6) AS delays';

/** How long the guardrails may be behind a response before nobody begins any more. */
const PATIENCE = `interval '1 second'`;

/** Whether the guardrails of a company ($1) have yet to read something that is not quite new. */
export const BEHIND = `
  SELECT EXISTS (
    SELECT FROM unnumbered_event AS e
    WHERE e.company_id = $1 AND e.created_at <= statement_timestamp() - ${PATIENCE}
  ) OR coalesce((
    SELECT e.created_at <= statement_timestamp() - ${PATIENCE}
    FROM event AS e WHERE e.company_id = $1 AND e.seq > p.seq ORDER BY e.seq LIMIT 1
  ), false) AS behind
  FROM guardrail_position AS p WHERE p.company_id = $1`;

/**
 * Companies whose guardrails have yet to read events, those that wait the longest first. A plain
 * read over all companies, which a cluster sends to every shard.
 */
export const look = (limit: number) => `
  SELECT p.company_id, (s.last_seq - p.seq)::float8 AS waiting,
    extract(epoch FROM clock_timestamp() - e.created_at)::float8 AS age
  FROM guardrail_position AS p
  JOIN event_sequence AS s ON s.company_id = p.company_id
  LEFT JOIN event AS e ON e.company_id = p.company_id AND e.seq = p.seq + 1
  WHERE s.last_seq > p.seq
  ORDER BY e.created_at LIMIT ${limit}`;

/** How many events guardrails have yet to read, of all companies. */
export const COUNT_WAITING = `
  SELECT sum(s.last_seq - p.seq)::float8 AS waiting
  FROM guardrail_position AS p
  JOIN event_sequence AS s ON s.company_id = p.company_id`;
