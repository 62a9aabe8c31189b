-- Moves from the balance to a campaign what its allotment lacks for a bonus. It violates
-- balance_available_not_negative if there is too little, and does nothing for a campaign that does not
-- use the balance. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION allot_bonus(c campaign, granted numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lacking numeric;
BEGIN
  SELECT g.held + g.spent + granted - g.allotment INTO lacking FROM campaign_progress AS g
  WHERE g.company_id = c.company_id AND g.campaign_id = c.id AND g.allotment IS NOT NULL;
  IF lacking > 0 THEN
    UPDATE balance AS b SET available = b.available - lacking WHERE b.company_id = c.company_id;
    UPDATE campaign_progress AS g SET allotment = g.allotment + lacking
    WHERE g.company_id = c.company_id AND g.campaign_id = c.id;
  END IF;
END $$;
