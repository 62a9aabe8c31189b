-- The values of stored answers to questions, by the key of the question: what is_shown compares.
CREATE OR REPLACE FUNCTION answers_by_key(answers jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT coalesce(jsonb_object_agg(
      coalesce(a ->> 'key', 'q' || (a ->> 'question')), a -> 'value'
    ) FILTER (WHERE a ? 'question'), '{}')
    FROM jsonb_array_elements(answers) AS a
  );
END $$;
