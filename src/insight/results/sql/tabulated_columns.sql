-- The columns of a tabulation that a response is in: numbers whose digits are the columns of each
-- variable. A variable of a question has as many columns as column_count says, and one for no answer,
-- 0; one of quotas has one for each of them, and 0 for none. Null if the version has no such question,
-- or if there are more than 500 columns in all.
--
-- variables: as the table tabulation has them
-- questions: those of the version
-- cells: those of quotas that the response counts in
CREATE OR REPLACE FUNCTION tabulated_columns(
  company uuid, campaign_of bigint, variables jsonb, questions jsonb, answers jsonb,
  cells smallint[]
) RETURNS integer[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  columns_maximum CONSTANT integer := 500;
  variable jsonb;
  position_of integer;
  question jsonb;
  size integer;
  sizes integer := 1;
  given integer[];
  found integer[] := ARRAY[0];
BEGIN
  FOR variable IN SELECT v.variable FROM jsonb_array_elements(variables) AS v (variable) LOOP
    IF variable ? 'question' THEN
      position_of := question_position(questions, variable ->> 'question');
      question := questions -> (position_of - 1);
      size := 1 + column_count(question);
      given := column_numbers(question, option_positions(question -> 'options'),
        answer_to(answers, position_of));
    ELSE
      size := 1 + jsonb_array_length(variable -> 'quotas');
      SELECT ARRAY[coalesce(min(n.position), 0)::integer] INTO given
      FROM jsonb_array_elements_text(variable -> 'quotas') WITH ORDINALITY AS n (name, position)
      JOIN quota_cell AS q ON q.company_id = company AND q.campaign_id = campaign_of
        AND q.name = n.name AND q.cell = ANY (cells);
    END IF;
    sizes := sizes * size;
    IF sizes <= columns_maximum THEN
      SELECT array_agg(f.number * size + g.number) INTO found
      FROM unnest(found) AS f (number) CROSS JOIN unnest(given) AS g (number);
    ELSE
      RETURN NULL;
    END IF;
  END LOOP;
  RETURN found;
END $$;
