-- How many columns the answers to a question make, besides that of no answer: as many as headingsOf in
-- columns.rules.ts returns. Null if they make none.
CREATE OR REPLACE FUNCTION column_count(question jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE question ->> 'type'
    WHEN 'single_choice' THEN jsonb_array_length(question -> 'options')
    WHEN 'multiple_choice' THEN jsonb_array_length(question -> 'options')
    WHEN 'checkbox' THEN 2
    WHEN 'nps' THEN 3
    WHEN 'rating' THEN 1 + floor(
      ((question -> 'scale' ->> 'max')::numeric - (question -> 'scale' ->> 'min')::numeric)
        / rating_step(question -> 'scale'))::integer
  END
$$;
