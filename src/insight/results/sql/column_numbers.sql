-- The columns of a table that a response is in, numbered from 1 as columnsOf in columns.rules.ts lists
-- them: the options that it chose, the step of its rating, its group of the net promoter score, or
-- whether it ticked the box. {0} without an answer.
--
-- question: as its set has it
-- positions: of its options, as option_positions returns them
CREATE OR REPLACE FUNCTION column_numbers(question jsonb, positions jsonb, value jsonb)
RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN value IS NULL THEN '{0}'::integer[]
    ELSE CASE question ->> 'type'
      WHEN 'single_choice' THEN ARRAY[coalesce((positions ->> (value #>> '{}'))::integer, 0)]
      WHEN 'multiple_choice' THEN (
        SELECT coalesce(array_agg((positions ->> o.option)::integer), '{0}')
        FROM jsonb_array_elements_text(value) AS o (option)
        WHERE positions ? o.option
      )
      WHEN 'checkbox' THEN ARRAY[CASE WHEN value = 'true' THEN 1 ELSE 2 END]
      WHEN 'nps' THEN ARRAY[CASE WHEN value::integer <= 6 THEN 1 WHEN value::integer <= 8 THEN 2
        ELSE 3 END]
      WHEN 'rating' THEN ARRAY[1 + floor((value::numeric - (question -> 'scale' ->> 'min')::numeric)
        / rating_step(question -> 'scale'))::integer]
      ELSE '{0}'::integer[]
    END
  END
$$;
