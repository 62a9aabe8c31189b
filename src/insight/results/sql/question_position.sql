-- The position, from 1, of the question with a key, its own or q1, q2, …; null if there is none.
CREATE OR REPLACE FUNCTION question_position(questions jsonb, key text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT q.position::integer
  FROM jsonb_array_elements(questions) WITH ORDINALITY AS q (question, position)
  WHERE coalesce(q.question ->> 'key', 'q' || q.position) = key
  ORDER BY q.position LIMIT 1
$$;
