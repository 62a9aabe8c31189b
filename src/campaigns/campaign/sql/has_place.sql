-- Whether a campaign has a place for one more respondent, and the money for the largest reward.
CREATE OR REPLACE FUNCTION has_place(
  max_responses integer, budget numeric, taken integer, held numeric, spent numeric,
  largest_reward numeric
) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT (taken < max_responses) IS NOT FALSE
    AND (held + spent + largest_reward <= budget) IS NOT FALSE
$$;
