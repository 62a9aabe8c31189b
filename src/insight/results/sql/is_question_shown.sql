-- Whether a question was shown to a respondent: without any of its options, or any of its rows, it is not.
--
-- question: as its set has it
-- answered: the values of the answers, by the key of the question
CREATE OR REPLACE FUNCTION is_question_shown(question jsonb, answered jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (NOT question ? 'show_if' OR is_shown(question -> 'show_if', answered))
    AND NOT EXISTS (
      SELECT FROM (VALUES (question -> 'options'), (question -> 'rows')) AS l (list)
      WHERE l.list IS NOT NULL AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(l.list) AS o (option)
        WHERE o.option -> 'show_if' IS NULL OR is_shown(o.option -> 'show_if', answered)
      )
    )
$$;
