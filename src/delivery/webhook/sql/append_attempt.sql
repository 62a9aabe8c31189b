-- Appends an attempt to those of a delivery, which remembers the last 20.
CREATE OR REPLACE FUNCTION append_attempt(attempts jsonb, attempt jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE WHEN jsonb_array_length(attempts) < 20 THEN attempts ELSE attempts - 0 END) || attempt
$$;
