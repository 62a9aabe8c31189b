-- Gives a campaign that starts its first allotment, and returns whether it pays with the company's
-- balance. A start at its time is never refused: the campaign goes on when there is money. Any other
-- start is, if all that the company has does not pay one respondent.
--
-- The lock makes a switch to a balance wait for starts, and starts for the switch.
CREATE OR REPLACE FUNCTION start_allotment(c campaign, actor text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  b record;
  state text;
BEGIN
  SELECT o.is_prepaid, o.available INTO b FROM balance AS o WHERE o.company_id = company
  FOR NO KEY UPDATE;
  IF b.is_prepaid IS NOT TRUE AND NOT c.is_prepaid THEN
    RETURN false;
  END IF;
  state := allot(c, false);
  IF state = 'dry' AND actor <> 'service' AND c.largest_reward > (
    SELECT o.available + coalesce((
      SELECT sum(g.allotment - g.held - g.spent) FROM campaign_progress AS g
      WHERE g.company_id = company AND g.allotment IS NOT NULL
    ), 0)
    FROM balance AS o WHERE o.company_id = company
  ) THEN
    RAISE EXCEPTION 'a campaign without money violates constraint "campaign_live_within_balance"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_within_balance';
  END IF;
  IF state = 'dry' THEN
    -- Other campaigns may have what this one lacks.
    PERFORM mark_allotment_due(company, c.id, true);
  ELSE
    -- The balance may not pay for all of this one.
    PERFORM mark_allotment_due(company, 0, true);
  END IF;
  RETURN state IS NOT NULL;
END $$;
