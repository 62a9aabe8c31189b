-- Raises why nobody can take a place of a campaign that pays "reward" at most: it has none, or the
-- company's balance does not pay for it at the moment.
CREATE OR REPLACE FUNCTION refuse_place(c campaign, reward numeric) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  broken text;
BEGIN
  SELECT 'participation_balance_left' INTO broken FROM campaign_progress AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of
    AND has_place(g.max_responses, g.budget, g.taken, g.held, g.spent, reward);
  broken := coalesce(broken, 'participation_place_left');
  RAISE EXCEPTION 'a respondent without a place violates constraint "%"', broken
    USING ERRCODE = 'check_violation', CONSTRAINT = broken;
END $$;
