-- Counts a table from the stored answers of the next responses to a version of a campaign, in the order
-- of their submission: amounts as add_to_tally has them, of one question and by column. It looks at
-- 5,000 responses, or fewer if their answers are long, and returns the last one in a row of its own,
-- without a column; nothing if there are no more.
--
-- Columns have the numbers of column_numbers, or the names of platforms. If a response can be in
-- several, '*' has all responses.
--
-- column_of: the position of the question whose answers are the columns; null for platforms
-- level: of detail, for coarse_key
-- up_to: the number of the last event that counts; recent: a time since which it may be exceeded
CREATE OR REPLACE FUNCTION cross_amounts(
  company uuid, campaign_of bigint, version_of integer, row_of integer, column_of integer,
  level integer, after_time timestamptz, after_id uuid, up_to bigint, recent timestamptz
) RETURNS TABLE (
  reached_at timestamptz, reached_id uuid, column_name text, kind text, item text, keys text[],
  amounts text
) LANGUAGE sql STABLE
SET jit = off SET enable_seqscan = off AS $$
  WITH question AS MATERIALIZED (
    SELECT r.row, r.row ->> 'type' AS type, r.row -> 'scale' AS scale, c.column,
      CASE WHEN r.row ->> 'type' = 'matrix' THEN option_positions(r.row -> 'rows') END AS positions,
      option_positions(c.column -> 'options') AS column_positions,
      r.row @? '$.options[*].show_if' AS has_offers
    FROM question_set AS s
    CROSS JOIN LATERAL (SELECT s.questions -> (row_of - 1) AS row) AS r
    CROSS JOIN LATERAL (SELECT s.questions -> (column_of - 1) AS column) AS c
    WHERE s.company_id = company AND s.campaign_id = campaign_of AND s.version = version_of
  ), next AS (
    SELECT p.closed_at, p.participation_id, p.cohort, p.platform, p.state,
      p.question_set_version AS version, p.answers
    FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id + 0 = campaign_of
      AND p.state IN ('submitted', 'reversed')
      AND (p.closed_at, p.participation_id) > (after_time, after_id)
    ORDER BY p.closed_at, p.participation_id LIMIT 5000
  ), looked AS MATERIALIZED (
    SELECT * FROM (
      SELECT n.*, coalesce(sum(octet_length(n.answers)) OVER (
        ORDER BY n.closed_at, n.participation_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0) AS before
      FROM next AS n
    ) AS n
    WHERE n.before < 4194304
  ), response AS MATERIALIZED (
    SELECT l.cohort, CASE WHEN column_of IS NULL THEN l.platform END AS platform,
      ',' || substr(l.answers, 2) AS list, l.answers
    FROM looked AS l
    WHERE l.state = 'submitted' AND l.version = version_of AND l.answers IS NOT NULL
      AND (l.closed_at < recent OR NOT EXISTS (
        SELECT FROM event AS e
        WHERE e.company_id = company AND e.subject = l.participation_id AND e.version = 1
          AND e.seq > up_to
      ) AND NOT EXISTS (
        SELECT FROM unnumbered_event AS u
        WHERE u.company_id = company AND u.subject = l.participation_id AND u.version = 1
      ))
  ), begun AS MATERIALIZED (
    -- From the answer to each question on. To parse all answers takes three times as long. What an
    -- answer begins with is in no text, where quotes are escaped, and in no value, before which there
    -- is a colon. Answers in another notation are parsed.
    SELECT r.cohort, r.platform, r.answers, strpos(r.list, ',{"question":') = 0 AS is_other,
      substr(r.list, 1 + nullif(strpos(r.list, ',{"question":' || row_of || ','), 0)) AS row_rest,
      substr(r.list, 1 + nullif(strpos(r.list, ',{"question":' || column_of || ','), 0))
        AS column_rest
    FROM response AS r
  ), given AS MATERIALIZED (
    -- The responses that are equal. Without another answer after it, the last bracket is left out.
    SELECT a.cohort, a.platform, a.row_value, a.column_value, a.answers, count(*) AS n
    FROM (
      SELECT b.cohort, b.platform,
        CASE WHEN b.is_other THEN answer_to(b.answers::jsonb, row_of)
          ELSE left(b.row_rest, strpos(b.row_rest, ',{"question":') - 1)::jsonb -> 'value'
        END AS row_value,
        CASE WHEN b.is_other THEN answer_to(b.answers::jsonb, column_of)
          ELSE left(b.column_rest, strpos(b.column_rest, ',{"question":') - 1)::jsonb -> 'value'
        END AS column_value,
        CASE WHEN q.has_offers THEN b.answers::jsonb END AS answers
      FROM begun AS b CROSS JOIN question AS q
    ) AS a
    WHERE a.row_value IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5
  ), crossed AS MATERIALIZED (
    SELECT g.cohort, g.row_value, g.answers, c.column_name, g.n
    FROM given AS g CROSS JOIN question AS q
    CROSS JOIN LATERAL unnest(
      CASE WHEN column_of IS NULL THEN ARRAY[g.platform]
        ELSE column_numbers(q.column, q.column_positions, g.column_value)::text[] END
      || CASE WHEN q.column ->> 'type' = 'multiple_choice' THEN ARRAY['*'] END
    ) AS c (column_name)
  ), amount (column_name, kind, part, key, cohort, n) AS (
    SELECT c.column_name, m.kind, m.part, m.key, c.cohort, c.n * m.n
    FROM crossed AS c CROSS JOIN question AS q
    CROSS JOIN LATERAL (
      SELECT 'answered' AS kind, '' AS part, '' AS key, 1::numeric AS n
      UNION ALL
      SELECT 'option', '', c.row_value #>> '{}', 1 WHERE q.type = 'single_choice'
      UNION ALL
      SELECT 'option', '', o.option, 1
      FROM jsonb_array_elements_text(
        CASE WHEN q.type = 'multiple_choice' THEN c.row_value ELSE '[]' END
      ) AS o (option)
      UNION ALL
      SELECT a.kind, a.part, a.key, a.n
      FROM answer_amounts(q.type, q.scale, q.positions, level, c.row_value) AS a
      WHERE q.type NOT IN ('single_choice', 'multiple_choice')
    ) AS m
    UNION ALL
    SELECT c.column_name, 'offered', p.part, o.option, c.cohort, c.n
    FROM crossed AS c CROSS JOIN question AS q
    CROSS JOIN LATERAL (SELECT answers_by_key(c.answers) AS answered OFFSET 0) AS d
    CROSS JOIN LATERAL (
      SELECT '' AS part WHERE q.type <> 'matrix'
      UNION ALL
      SELECT '.' || (q.positions ->> r.row)
      FROM jsonb_object_keys(CASE WHEN q.type = 'matrix' THEN c.row_value ELSE '{}' END) AS r (row)
    ) AS p
    CROSS JOIN LATERAL (
      SELECT coalesce(e.option ->> 'key', e.option ->> 'text') AS option
      FROM jsonb_array_elements(q.row -> 'options') AS e (option)
      WHERE is_shown(e.option -> 'show_if', d.answered)
    ) AS o
    WHERE q.has_offers
  ), summed AS (
    SELECT a.column_name, a.kind, row_of || a.part AS item, a.key,
      concat_ws(' ',
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 1), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 2), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 3), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 4), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 5), 0)) AS amounts
    FROM amount AS a GROUP BY a.column_name, a.kind, a.part, a.key
  )
  SELECT NULL::timestamptz, NULL::uuid, s.column_name, s.kind, s.item, array_agg(s.key),
    string_agg(s.amounts, ',')
  FROM summed AS s GROUP BY s.column_name, s.kind, s.item
  UNION ALL
  (SELECT l.closed_at, l.participation_id, NULL, NULL, NULL, NULL, NULL
  FROM looked AS l ORDER BY l.closed_at DESC, l.participation_id DESC LIMIT 1)
$$;
