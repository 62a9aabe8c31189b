-- Moves money between the company's balance and a campaign, so that a live campaign can pay for its
-- next respondents, and another one has no more than it holds and has paid. Returns 'enough', 'low',
-- or 'dry' if nobody can begin; null if the campaign does not use the balance, which it also ceases
-- to do here. With "gives" it hands over half of what it could spare, because another one is dry.
--
-- The caller has locked the campaign, so nobody else changes its counters. Whatever raises
-- "available" does so under the lock of the balance, and wakes what waits for money.
CREATE OR REPLACE FUNCTION allot(c campaign, gives boolean) RETURNS text LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  -- Largest rewards that a campaign gets, and below which it is low. mark_allotment has both.
  full_at CONSTANT integer := 100;
  low_at CONSTANT integer := 50;
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  largest CONSTANT numeric := c.largest_reward;
  b balance%ROWTYPE;
  g campaign_progress%ROWTYPE;
  joined numeric := 0;
  moved numeric := 0;
  used numeric;
  spare numeric;
  needed numeric;
  was_dry boolean;
  lacks_some boolean;
  lacks_all boolean;
BEGIN
  SELECT * INTO b FROM balance AS o WHERE o.company_id = company FOR NO KEY UPDATE;
  SELECT * INTO g FROM campaign_progress AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of;
  used := coalesce(g.held + g.spent, 0);
  IF b.is_prepaid IS NOT TRUE THEN
    IF g.allotment IS NOT NULL THEN
      UPDATE campaign_progress AS o SET allotment = NULL
      WHERE o.company_id = company AND o.campaign_id = campaign_of;
      UPDATE balance AS o SET available = o.available + g.allotment - used,
        funded = o.funded - used, postpaid = o.postpaid - used
      WHERE o.company_id = company;
    END IF;
    DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = campaign_of;
    RETURN NULL;
  END IF;
  IF g.allotment IS NULL THEN
    joined := used;
    g.allotment := used;
    INSERT INTO campaign_progress AS o (company_id, campaign_id, max_responses, budget, allotment)
    VALUES (company, campaign_of, c.max_responses, c.budget, used)
    ON CONFLICT (company_id, campaign_id) DO UPDATE SET allotment = excluded.allotment
    RETURNING * INTO g;
  END IF;
  spare := g.allotment - used;
  -- What its limits leave, in whole places.
  needed := CASE WHEN c.is_live THEN largest * floor(greatest(0, least(full_at * largest,
    g.budget - used, (g.max_responses - g.taken) * largest)) / largest) ELSE 0 END;
  SELECT d.is_dry INTO was_dry FROM allotment_due AS d
  WHERE d.company_id = company AND d.campaign_id = campaign_of;
  lacks_all := needed >= largest AND spare < largest;
  IF spare > 2 * needed THEN
    moved := needed - spare;
  ELSIF gives THEN
    moved := -largest * floor(spare / 2 / largest);
  ELSIF spare < least(low_at * largest, needed) AND (lacks_all OR NOT EXISTS (
      SELECT FROM allotment_due AS d
      WHERE d.company_id = company AND d.campaign_id <> campaign_of AND d.is_dry
    ))
  THEN
    -- Half of the money at most, so that others find some; but what pays one respondent.
    moved := least(needed - spare, b.available,
      greatest(largest * floor(b.available / 2 / largest), largest - greatest(spare, 0)));
    IF lacks_all AND spare + moved < largest THEN
      moved := 0;
    END IF;
  END IF;
  spare := spare + moved;
  lacks_some := spare < least(low_at * largest, needed);
  lacks_all := needed >= largest AND spare < largest;
  IF moved <> 0 THEN
    UPDATE campaign_progress AS o SET allotment = o.allotment + moved
    WHERE o.company_id = company AND o.campaign_id = campaign_of;
  END IF;
  IF moved <> 0 OR joined > 0 THEN
    UPDATE balance AS o SET available = o.available - moved, funded = o.funded + joined,
      postpaid = o.postpaid + joined
    WHERE o.company_id = company;
  END IF;
  IF lacks_some THEN
    INSERT INTO allotment_due AS d (company_id, campaign_id, is_waiting, is_dry)
    VALUES (company, campaign_of, moved <= 0, lacks_all)
    ON CONFLICT (company_id, campaign_id) DO UPDATE
    SET is_waiting = excluded.is_waiting, is_dry = excluded.is_dry, due_at = excluded.due_at;
  ELSE
    DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = campaign_of;
  END IF;
  IF moved < 0 OR (b.available > moved AND (moved > 0 OR was_dry AND NOT lacks_all)) THEN
    PERFORM wake_allotments(company);
  END IF;
  RETURN CASE WHEN lacks_all THEN 'dry' WHEN lacks_some THEN 'low' ELSE 'enough' END;
END $$;
