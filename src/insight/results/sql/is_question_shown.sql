-- Whether a question was shown to a respondent: without any of its options, or any of its rows, it is not.
--
-- question: as its set has it
-- answered: the values of the answers, by the key of the question
CREATE OR REPLACE FUNCTION is_question_shown(question jsonb, answered jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  entries jsonb;
  condition jsonb;
  is_any_left boolean;
BEGIN
  IF question ? 'show_if' AND NOT is_shown(question -> 'show_if', answered) THEN
    RETURN false;
  END IF;
  FOREACH entries IN ARRAY ARRAY[question -> 'options', question -> 'rows'] LOOP
    is_any_left := entries IS NULL;
    FOR place IN 0 .. coalesce(jsonb_array_length(entries), 0) - 1 LOOP
      EXIT WHEN is_any_left;
      condition := entries -> place -> 'show_if';
      is_any_left := condition IS NULL OR is_shown(condition, answered);
    END LOOP;
    IF NOT is_any_left THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END $$;
