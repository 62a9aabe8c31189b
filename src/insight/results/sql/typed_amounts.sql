-- What submitted responses contribute to the tally besides what add_to_tally counts itself: the answers
-- to questions of the types from "rating" to "checkbox", right answers, texts beside a choice, and the
-- questions that were not shown. Only sets with any of these come here, so the others cost nothing more. The tally of
-- the cell says how finely values are counted there.
CREATE OR REPLACE FUNCTION typed_amounts(
  company uuid, in_cell smallint, campaigns bigint[], participations uuid[]
) RETURNS TABLE (
  campaign_id bigint, version integer, kind text, item text, key text, cohort_1 numeric,
  cohort_2 numeric, cohort_3 numeric, cohort_4 numeric, cohort_5 numeric
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH chosen AS MATERIALIZED (
    SELECT n.campaign_id, p.version, p.cohort, p.answers
    FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
    CROSS JOIN LATERAL (
      SELECT o.question_set_version AS version, o.cohort, o.answers::jsonb AS answers
      FROM participation AS o
      WHERE o.company_id = company AND o.campaign_id = n.campaign_id
        AND o.participation_id = n.participation_id AND o.state = 'submitted'
      LIMIT 1
    ) AS p
    WHERE p.answers IS NOT NULL AND p.version IS NOT NULL
  ), question AS MATERIALIZED (
    SELECT s.campaign_id, s.version, q.position::text AS item, q.question ->> 'type' AS type,
      coalesce(q.question ->> 'key', 'q' || q.position) AS key, q.question -> 'scale' AS scale,
      q.question -> 'correct' AS correct,
      CASE WHEN q.question ? 'show_if' OR q.question @? '$.options[*].show_if'
        OR q.question @? '$.rows[*].show_if' THEN q.question END AS conditional,
      q.question ->> 'type' <> 'ranking' AND q.question @? '$.options[*].show_if' AS has_offers,
      CASE WHEN q.question ->> 'type' IN ('matrix', 'ranking')
        THEN option_positions(coalesce(q.question -> 'rows', q.question -> 'options'))
      END AS positions, CASE WHEN q.question ->> 'type' IN ('number', 'date', 'ranking') THEN (
        SELECT t.cohort_1::integer FROM tally AS t
        WHERE t.company_id = company AND t.campaign_id = s.campaign_id AND t.version = s.version
          AND t.cell = in_cell AND t.kind = 'coarse' AND t.item = q.position::text AND t.key = ''
      ) END AS level
    FROM (SELECT DISTINCT c.campaign_id, c.version FROM chosen AS c) AS s
    CROSS JOIN LATERAL (
      SELECT g.questions FROM question_set AS g
      WHERE g.company_id = company AND g.campaign_id = s.campaign_id AND g.version = s.version
      LIMIT 1
    ) AS o
    CROSS JOIN LATERAL jsonb_array_elements(o.questions) WITH ORDINALITY AS q (question, position)
  ), sent AS MATERIALIZED (
    -- By themselves, so that the join does not expand them again for each question.
    SELECT d.campaign_id, d.version, d.cohort, a ->> 'question' AS item, a AS answer
    FROM chosen AS d CROSS JOIN LATERAL jsonb_array_elements(d.answers) AS a
  ), respondent AS MATERIALIZED (
    SELECT c.campaign_id, c.version, c.cohort, answers_by_key(c.answers) AS answered
    FROM chosen AS c
  ), answer AS MATERIALIZED (
    SELECT s.campaign_id, s.version, s.cohort, q.item, q.type, s.answer -> 'value' AS value,
      s.answer ? 'other' AS has_other, s.answer ? 'comment' AS has_comment,
      -- Options in any order.
      s.answer -> 'value' @> q.correct AND q.correct @> (s.answer -> 'value') AS is_right
    FROM sent AS s
    JOIN question AS q ON q.campaign_id = s.campaign_id AND q.version = s.version
      AND q.item = s.item
  ), given AS MATERIALIZED (
    -- The answers that are equal.
    SELECT a.campaign_id, a.version, a.cohort, a.item, a.value, count(*) AS n
    FROM answer AS a
    WHERE a.type IN ('rating', 'nps', 'number', 'date', 'ranking', 'matrix', 'checkbox')
    GROUP BY a.campaign_id, a.version, a.cohort, a.item, a.value
  ), amount AS (
    -- A cluster loses names that stand in the head of a WITH.
    SELECT g.campaign_id, g.version, g.cohort, m.kind, g.item || m.part AS item, m.key,
      g.n * m.n AS n
    FROM given AS g
    JOIN question AS q ON q.campaign_id = g.campaign_id AND q.version = g.version
      AND q.item = g.item
    CROSS JOIN LATERAL answer_amounts(q.type, q.scale, q.positions, coalesce(q.level, 0), g.value)
      AS m
    UNION ALL
    SELECT a.campaign_id, a.version, a.cohort, v.kind, a.item, '', 1
    FROM answer AS a
    CROSS JOIN LATERAL (VALUES
      ('other', a.has_other), ('comment', a.has_comment), ('right', a.is_right)
    ) AS v (kind, has)
    WHERE v.has
    UNION ALL
    SELECT d.campaign_id, d.version, d.cohort, 'hidden', q.item, '', 1
    FROM respondent AS d
    JOIN question AS q ON q.campaign_id = d.campaign_id AND q.version = d.version
    WHERE q.conditional IS NOT NULL AND NOT is_question_shown(q.conditional, d.answered)
    UNION ALL
    SELECT d.campaign_id, d.version, d.cohort, 'offered', q.item || p.part, o.option, 1
    FROM respondent AS d
    JOIN question AS q ON q.campaign_id = d.campaign_id AND q.version = d.version AND q.has_offers
    CROSS JOIN LATERAL (
      SELECT '' AS part WHERE q.type <> 'matrix' AND d.answered ? q.key
      UNION ALL
      SELECT '.' || (q.positions ->> r.row)
      FROM jsonb_object_keys(CASE WHEN q.type = 'matrix' THEN d.answered -> q.key END) AS r (row)
    ) AS p
    CROSS JOIN LATERAL (
      SELECT coalesce(e.option ->> 'key', e.option ->> 'text') AS option
      FROM jsonb_array_elements(q.conditional -> 'options') AS e (option)
      WHERE is_shown(e.option -> 'show_if', d.answered)
    ) AS o
  )
  SELECT a.campaign_id, a.version, a.kind, a.item, a.key,
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 1), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 2), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 3), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 4), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 5), 0)
  FROM amount AS a GROUP BY a.campaign_id, a.version, a.kind, a.item, a.key;
END $$;
