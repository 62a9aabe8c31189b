-- The value of the answer to the question at a position, from 1; null without one. Answers are stored
-- in the order of their questions, so the first place to look is that of the question.
CREATE OR REPLACE FUNCTION answer_to(answers jsonb, position_of integer) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN answers -> (position_of - 1) -> 'question' = to_jsonb(position_of)
    THEN answers -> (position_of - 1) -> 'value'
  ELSE jsonb_path_query_first(answers, '$[*] ? (@.question == $position).value',
    jsonb_build_object('position', position_of))
END;
