-- What the answer to a question of one of the types from "rating" to "checkbox" adds to the tally.
-- The part is '' for the question itself, and its position with a dot before it for a row of a
-- matrix, because the text of a row can be too long for an index together with that of an option.
-- The function add_to_tally says what the kinds are.
--
-- scale: of a rating, or of the rows of a matrix
-- positions: of the rows of a matrix, or of the options of a ranking, as option_positions returns them
-- level: of detail, for coarse_key
CREATE OR REPLACE FUNCTION answer_amounts(
  type text, scale jsonb, positions jsonb, level integer, value jsonb
) RETURNS TABLE (kind text, part text, key text, n numeric)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH cell AS (
    SELECT '' AS part, value AS given WHERE type <> 'matrix'
    UNION ALL
    SELECT '.' || (positions ->> c.key), c.value
    FROM jsonb_each(CASE WHEN type = 'matrix' THEN value ELSE '{}' END) AS c
  ), number AS (
    SELECT c.part, (c.given #>> '{}')::numeric AS x, (scale ->> 'min')::numeric AS least,
      rating_step(scale) AS width
    FROM cell AS c WHERE jsonb_typeof(c.given) = 'number' AND (scale IS NOT NULL OR type = 'number')
  ), ranked AS (
    SELECT r.option, r.place
    FROM jsonb_array_elements_text(CASE WHEN type = 'ranking' THEN value ELSE '[]' END)
      WITH ORDINALITY AS r (option, place)
  ), single AS (
    SELECT 'value' AS kind, n.x::text AS key FROM number AS n WHERE type = 'number'
    UNION ALL
    SELECT 'date', value #>> '{}' WHERE type = 'date'
    UNION ALL
    SELECT 'order', string_agg(positions ->> r.option, ' ' ORDER BY r.place)
    FROM ranked AS r HAVING count(*) > 0
  )
  SELECT 'answered', c.part, '', 1::numeric FROM cell AS c WHERE c.part <> ''
  UNION ALL
  SELECT 'option', c.part, o.option, 1
  FROM cell AS c
  CROSS JOIN LATERAL jsonb_array_elements_text(
    CASE jsonb_typeof(c.given) WHEN 'array' THEN c.given ELSE jsonb_build_array(c.given) END
  ) AS o (option)
  WHERE type IN ('nps', 'checkbox', 'ranking') OR type = 'matrix' AND scale IS NULL
  UNION ALL
  SELECT 'rating', n.part, v.key, v.n
  FROM number AS n CROSS JOIN LATERAL (VALUES ('sum', n.x), ('squares', n.x ^ 2)) AS v (key, n)
  UNION ALL
  SELECT 'rated', n.part, trim_scale(n.least + n.width * floor((n.x - n.least) / n.width))::text, 1
  FROM number AS n WHERE scale IS NOT NULL
  UNION ALL
  SELECT 'rank', '', r.option, r.place FROM ranked AS r
  UNION ALL
  SELECT 'first', '', r.option, 1 FROM ranked AS r WHERE r.place = 1
  UNION ALL
  SELECT s.kind, '', coarse_key(s.kind, s.key, level), 1 FROM single AS s
$$;
