-- Whether a question with conditions was shown to a respondent: what shownQuestions in
-- shown.rules.ts says. Stored answers are none to hidden questions, so each condition can be decided
-- by itself.
--
-- answered: the values of the answers, by the key of the question
CREATE OR REPLACE FUNCTION is_shown(show_if jsonb, answered jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN show_if ? 'all' THEN bool_and(m.is_met) ELSE bool_or(m.is_met) END
  FROM (
    SELECT CASE WHEN c.is_any THEN bool_or(c.holds) ELSE bool_and(c.holds) END AS is_met
    FROM (
      SELECT n.place, n.is_any, CASE n.op
        WHEN 'is' THEN coalesce(n.value = n.wanted, false)
        WHEN 'is_not' THEN (n.value = n.wanted) IS NOT TRUE
        WHEN 'includes' THEN coalesce(n.value @> n.wanted, false)
        WHEN 'excludes' THEN (n.value @> n.wanted) IS NOT TRUE
        WHEN 'answered' THEN n.is_answered
        WHEN 'not_answered' THEN NOT n.is_answered
        -- Numbers, or dates of the same precision as text.
        ELSE coalesce(jsonb_typeof(n.value) = jsonb_typeof(n.wanted) AND CASE
          WHEN jsonb_typeof(n.value) = 'number' AND n.op = 'at_least' THEN n.value >= n.wanted
          WHEN jsonb_typeof(n.value) = 'number' THEN n.value <= n.wanted
          WHEN n.op = 'at_least' THEN n.value #>> '{}' COLLATE "C" >= n.wanted #>> '{}'
          ELSE n.value #>> '{}' COLLATE "C" <= n.wanted #>> '{}'
        END, false)
      END AS holds
      FROM (
        SELECT o.place, o.is_any, o.condition ->> 'op' AS op, o.condition -> 'value' AS wanted,
          o.value, coalesce(o.value NOT IN ('null', '""', '[]', '{}'), false) AS is_answered
        FROM (
          SELECT e.place, e.entry ? 'any' AS is_any, c.condition, CASE
            WHEN c.condition ? 'row'
            THEN answered -> (c.condition ->> 'question') -> (c.condition ->> 'row')
            ELSE answered -> (c.condition ->> 'question')
          END AS value
          FROM jsonb_array_elements(coalesce(show_if -> 'all', show_if -> 'any'))
            WITH ORDINALITY AS e (entry, place)
          -- A condition is a group of one.
          CROSS JOIN LATERAL jsonb_array_elements(
            coalesce(e.entry -> 'all', e.entry -> 'any', jsonb_build_array(e.entry))
          ) AS c (condition)
        ) AS o
      ) AS n
    ) AS c
    GROUP BY c.place, c.is_any
  ) AS m
$$;
