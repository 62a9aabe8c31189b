-- Counts a table from the stored answers of the next responses to a version of a campaign, in the order
-- of their submission: amounts as add_to_tally has them, of one question and by column. It looks at
-- 10,000 responses, or fewer if their answers are long, and returns the last one in a row of its own,
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
) LANGUAGE plpgsql STABLE
SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
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
    SELECT p.closed_at, p.participation_id, coalesce(octet_length(p.answers), 0) AS size
    FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id + 0 = campaign_of
      AND p.state IN ('submitted', 'reversed')
      AND (p.closed_at, p.participation_id) > (after_time, after_id)
    ORDER BY p.closed_at, p.participation_id LIMIT 10000
  ), reached AS MATERIALIZED (
    SELECT m.closed_at, m.participation_id FROM (
      SELECT n.closed_at, n.participation_id, n.size, sum(n.size) OVER (
        ORDER BY n.closed_at, n.participation_id ROWS UNBOUNDED PRECEDING
      ) AS sum
      FROM next AS n
    ) AS m
    WHERE m.sum - m.size < 8388608
    ORDER BY m.closed_at DESC, m.participation_id DESC LIMIT 1
  ), given AS MATERIALIZED (
    -- The responses that are equal. To parse all answers takes five times as long as to take two of
    -- them out. What one begins with is in no text, where quotes are escaped; answers that may have
    -- it in a value are parsed.
    SELECT b.cohort, b.platform,
      CASE WHEN b.is_other
        THEN jsonb_build_object('value', answer_to(b.answers::jsonb, row_of))::text
        ELSE split_part(split_part(b.answers, '{"question":' || row_of || ',', 2),
          ',{"question":', 1)
      END AS row_text,
      CASE WHEN b.is_other
        THEN jsonb_build_object('value', answer_to(b.answers::jsonb, column_of))::text
        ELSE split_part(split_part(b.answers, '{"question":' || column_of || ',', 2),
          ',{"question":', 1)
      END AS column_text,
      CASE WHEN q.has_offers THEN b.answers END AS answers, count(*) AS n
    FROM (
      SELECT p.cohort, CASE WHEN column_of IS NULL THEN p.platform END AS platform,
        p.answers::text AS answers,
        strpos(p.answers, '[{"question":') <> 1 OR strpos(p.answers, ':{"question":') > 0
          AS is_other
      FROM participation AS p
      WHERE p.company_id = company AND p.campaign_id + 0 = campaign_of
        AND p.state IN ('submitted', 'reversed')
        AND (p.closed_at, p.participation_id) > (after_time, after_id)
        AND (p.closed_at, p.participation_id)
          <= ((SELECT r.closed_at FROM reached AS r), (SELECT r.participation_id FROM reached AS r))
        AND p.state = 'submitted' AND p.question_set_version = version_of AND p.answers IS NOT NULL
        AND (p.closed_at < recent OR NOT EXISTS (
          SELECT FROM event AS e
          WHERE e.company_id = company AND e.subject = p.participation_id AND e.version = 1
            AND e.seq > up_to
        ) AND NOT EXISTS (
          SELECT FROM unnumbered_event AS u
          WHERE u.company_id = company AND u.subject = p.participation_id AND u.version = 1
        ))
      OFFSET 0
    ) AS b
    CROSS JOIN question AS q
    GROUP BY 1, 2, 3, 4, 5
  ), valued AS MATERIALIZED (
    -- Taken out, an answer has lost its beginning and, if it is the last one, has the end of the list.
    SELECT g.cohort, g.platform, g.answers::jsonb AS answers, g.n,
      nullif(rtrim('{' || ltrim(g.row_text, '{'), ']'), '{')::jsonb -> 'value' AS row_value,
      nullif(rtrim('{' || ltrim(g.column_text, '{'), ']'), '{')::jsonb -> 'value' AS column_value
    FROM given AS g
  ), crossed AS MATERIALIZED (
    SELECT g.cohort, g.row_value, g.answers, c.column_name, g.n
    FROM (
      SELECT * FROM valued AS v WHERE jsonb_typeof(v.row_value) <> 'null'
    ) AS g CROSS JOIN question AS q
    CROSS JOIN LATERAL unnest(
      CASE WHEN column_of IS NULL THEN ARRAY[g.platform]
        ELSE column_numbers(q.column, q.column_positions, nullif(g.column_value, 'null'))::text[] END
      || CASE WHEN q.column ->> 'type' = 'multiple_choice' THEN ARRAY['*'] END
    ) AS c (column_name)
  ), amount AS (
    -- A cluster loses names that stand in the head of a WITH.
    SELECT c.column_name, m.kind, m.part, m.key, c.cohort, c.n * m.n AS n
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
  SELECT r.closed_at, r.participation_id, NULL, NULL, NULL, NULL, NULL FROM reached AS r;
END $$;
