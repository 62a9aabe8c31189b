-- Whether a question with conditions was shown to a respondent: what shownQuestions in
-- shown.rules.ts says. Stored answers are none to hidden questions, so each condition can be decided
-- by itself.
--
-- answered: the values of the answers, by the key of the question
CREATE OR REPLACE FUNCTION is_shown(show_if jsonb, answered jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN show_if ? 'all' THEN coalesce(bool_and(c.holds), true)
    ELSE coalesce(bool_or(c.holds), false) END
  FROM (
    SELECT CASE n.op
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
      SELECT o.condition ->> 'op' AS op, o.condition -> 'value' AS wanted, o.value,
        coalesce(o.value NOT IN ('null', '""', '[]', '{}'), false) AS is_answered
      FROM (
        SELECT e AS condition, CASE
          WHEN e ? 'row' THEN answered -> (e ->> 'question') -> (e ->> 'row')
          ELSE answered -> (e ->> 'question')
        END AS value
        FROM jsonb_array_elements(coalesce(show_if -> 'all', show_if -> 'any')) AS e
      ) AS o
    ) AS n
  ) AS c
$$;
