-- The key of a value that is counted by itself, at a level of detail: 0 is the finest. What is
-- truncated at one level gives at the next one what the value itself would.
--
-- kind   value                                   levels
-- value  a number                                0 exact, 1 three significant digits
-- date   a date                                  0 as it is, 1 its month, 2 its year
-- order  positions of options, the best first    level l the first 20 - l of them, at least 1
CREATE OR REPLACE FUNCTION coarse_key(kind text, key text, level integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE kind
    WHEN 'date' THEN left(key, CASE level WHEN 0 THEN 10 WHEN 1 THEN 7 ELSE 4 END)
    WHEN 'order' THEN array_to_string(
      (string_to_array(key, ' '))[1:greatest(1, 20 - level)], ' '
    )
    ELSE trim_scale(
      CASE WHEN level = 0 OR key::numeric = 0 THEN key::numeric
        ELSE round(key::numeric, 2 - floor(log(abs(key::numeric)))::integer) END
    )::text
  END
$$;
