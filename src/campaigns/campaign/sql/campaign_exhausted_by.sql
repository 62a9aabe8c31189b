-- What has run out for a campaign: null while a further response is possible. A budget is spent when
-- nothing is held, and what is left would not pay the largest reward.
CREATE OR REPLACE FUNCTION campaign_exhausted_by(
  company uuid, campaign_of bigint, largest_reward numeric
) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT nullif(array_remove(ARRAY[
      CASE WHEN p.answered >= p.max_responses THEN 'max_responses_reached' END,
      CASE WHEN p.spent > 0 AND p.held = 0 AND p.budget - p.spent < largest_reward
        THEN 'budget_spent' END
    ], NULL), '{}')
    FROM campaign_progress AS p
    WHERE p.company_id = company AND p.campaign_id = campaign_of
  );
END $$;
