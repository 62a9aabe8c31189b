/** Participations that one statement looks at. */
export const LOOK = 5_000;

/**
 * The campaign with the post_id $2 of a company ($1), and whether any question has a right
 * answer.
 */
export const CAMPAIGN = `
  SELECT campaign.id, campaign.currency, EXISTS (
      SELECT FROM question_set AS s
      WHERE s.company_id = $1 AND s.campaign_id = campaign.id
        AND s.questions @? '$[*].correct'
    ) AS is_checked
  FROM campaign WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

/**
 * The position of the tally of a company ($1), and how many responses of a campaign ($2) were
 * submitted, reversed and counted. Whatever changes one of its responses changes one of these.
 */
export const STATE = `
  SELECT p.folded_seq, statement_timestamp() AS as_of, (
    SELECT coalesce(string_agg(c.kind || ' ' || c.n, ', ' ORDER BY c.kind), '')
    FROM (
      SELECT t.kind, sum(t.cohort_1 + t.cohort_2 + t.cohort_3 + t.cohort_4 + t.cohort_5) AS n
      FROM tally AS t
      WHERE t.company_id = $1 AND t.campaign_id = $2 AND t.cell = 0
        AND t.kind IN ('submitted', 'reversed', 'counted')
      GROUP BY t.kind
    ) AS c
  ) AS state
  FROM tally_position AS p WHERE p.company_id = $1`;

const CHECKED = `
  LEFT JOIN LATERAL (
    SELECT count(*)::float8 AS checked,
      (count(*) FILTER (WHERE a -> 'value' @> c.correct AND c.correct @> (a -> 'value')))::float8
        AS "right"
    FROM jsonb_array_elements(l.answers::jsonb) AS a
    JOIN correct AS c ON c.version = l.question_set_version
      AND c.position = (a ->> 'question')::integer
  ) AS t ON true`;

/** Without a look into the answers. */
const UNCHECKED = 'CROSS JOIN (SELECT 0::float8 AS checked, 0::float8 AS "right") AS t';

const PAIRS = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => [a, b] as const));

/**
 * What the next participations of a campaign ($2) of a company ($1) after one of them ($3) add up
 * to, by platform, evidence and score, and which one was the last. The order of the evidence is
 * that
 * of \`EVIDENCE\`; what a response does not have counts as 0.
 *
 * @param isChecked whether answers are compared with right ones
 */
export const nextScores = (isChecked: boolean) => `
  WITH looked AS MATERIALIZED (
    SELECT p.participation_id, p.platform, p.state, p.attention_score, p.reward, p.quality_flags,
      p.answer_percentile, p.consistency, p.question_set_version, p.answers
    FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id = $2 AND p.participation_id > $3
    ORDER BY p.participation_id LIMIT ${LOOK}
  ), correct AS MATERIALIZED (
    SELECT s.version, q.position, q.question -> 'correct' AS correct
    FROM question_set AS s
    CROSS JOIN LATERAL jsonb_array_elements(s.questions) WITH ORDINALITY AS q (question, position)
    WHERE s.company_id = $1 AND s.campaign_id = $2 AND q.question ? 'correct'
  ), measured AS (
    SELECT CASE WHEN l.platform = $1::text THEN 'test' ELSE l.platform END AS platform,
      l.attention_score::float8 AS y, round(l.reward * 100)::float8 AS reward,
      coalesce(l.quality_flags, 0) = 0 AND t."right" = t.checked AS is_careful,
      t.checked, t."right",
      (l.answer_percentile IS NOT NULL)::integer + 2 * (l.consistency IS NOT NULL)::integer
        + 4 * (t.checked > 0)::integer AS pattern,
      coalesce(l.answer_percentile / 100.0, 0)::float8 AS x0,
      coalesce(l.consistency, 0)::float8 AS x1,
      coalesce(t."right" / nullif(t.checked, 0), 0)::float8 AS x2
    FROM looked AS l ${isChecked ? CHECKED : UNCHECKED}
    WHERE l.state = 'submitted' AND l.answers IS NOT NULL
  ), added AS (
    SELECT m.platform, m.pattern, floor(m.y)::integer AS score,
      json_build_object('n', count(*), 'y', sum(m.y), 'yy', sum(m.y * m.y),
        'x', json_build_array(sum(m.x0), sum(m.x1), sum(m.x2)),
        'xy', json_build_array(sum(m.x0 * m.y), sum(m.x1 * m.y), sum(m.x2 * m.y)),
        'xx', json_build_array(${[0, 1, 2]
          .map((a) => `json_build_array(${productsWith(a)})`)
          .join(', ')})) AS sums,
      sum(m.reward) AS paid, sum(m.reward * m.reward) AS paid_squares,
      count(*) FILTER (WHERE m.is_careful) AS careful,
      coalesce(sum(m.reward) FILTER (WHERE m.is_careful), 0) AS careful_paid,
      sum(m.checked) AS checked, sum(m."right") AS "right"
    FROM measured AS m GROUP BY m.platform, m.pattern, floor(m.y)
  )
  SELECT (SELECT count(*)::integer FROM looked) AS looked,
    (SELECT l.participation_id FROM looked AS l ORDER BY l.participation_id DESC LIMIT 1) AS last,
    (SELECT coalesce(json_agg(a), '[]') FROM added AS a) AS rows`;

function productsWith(a: number): string {
  return PAIRS.filter(([each]) => each === a)
    .map(([, b]) => `sum(m.x${a} * m.x${b})`)
    .join(', ');
}
