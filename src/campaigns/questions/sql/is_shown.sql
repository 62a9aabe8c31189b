-- Whether a question with conditions was shown to a respondent: what shownQuestions in
-- shown.rules.ts says. Stored answers are none to hidden questions, so each condition can be decided
-- by itself. A group of conditions is decided as conditions are. One statement in place of these
-- expressions takes 90 times as long.
--
-- show_if: null, for what has no conditions, gives null
-- answered: the values of the answers, by the key of the question
CREATE OR REPLACE FUNCTION is_shown(show_if jsonb, answered jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  is_all CONSTANT boolean := show_if ? 'all';
  entries CONSTANT jsonb := coalesce(show_if -> 'all', show_if -> 'any');
  entry jsonb;
  op text;
  wanted jsonb;
  given jsonb;
  holds boolean;
BEGIN
  FOR place IN 0 .. jsonb_array_length(entries) - 1 LOOP
    entry := entries -> place;
    op := entry ->> 'op';
    wanted := entry -> 'value';
    given := answered -> (entry ->> 'question');
    IF entry ? 'row' THEN
      given := given -> (entry ->> 'row');
    END IF;
    holds := CASE
      WHEN op IS NULL THEN is_shown(entry, answered)
      WHEN op = 'is' THEN given = wanted
      WHEN op = 'is_not' THEN (given = wanted) IS NOT TRUE
      WHEN op = 'includes' THEN given @> wanted
      WHEN op = 'excludes' THEN (given @> wanted) IS NOT TRUE
      WHEN op = 'answered' THEN given NOT IN ('null', '""', '[]', '{}')
      WHEN op = 'not_answered' THEN (given NOT IN ('null', '""', '[]', '{}')) IS NOT TRUE
      WHEN jsonb_typeof(given) <> jsonb_typeof(wanted) THEN false
      WHEN jsonb_typeof(given) = 'number' AND op = 'at_least' THEN given >= wanted
      WHEN jsonb_typeof(given) = 'number' THEN given <= wanted
      -- Dates of the same precision, as text.
      WHEN op = 'at_least' THEN given #>> '{}' COLLATE "C" >= wanted #>> '{}'
      ELSE given #>> '{}' COLLATE "C" <= wanted #>> '{}'
    END;
    -- A comparison with nothing does not hold.
    IF (holds IS TRUE) <> is_all THEN
      RETURN NOT is_all;
    END IF;
  END LOOP;
  RETURN is_all;
END $$;
