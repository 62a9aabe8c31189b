-- Looks at the balance of a company as a whole: lets live campaigns use it that do not yet, and writes
-- an event when it has become smaller than what its live campaigns can still cost, once until it is
-- large enough again. Without limits, a campaign can cost its next allotment.
CREATE OR REPLACE FUNCTION watch_balance(company uuid) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  full_at CONSTANT integer := 100;
  kinds CONSTANT text[] :=
    ARRAY['questionnaire', 'round_robin', 'binary', 'image_slider', 'advertisement'];
  b balance%ROWTYPE;
  s record;
  is_short boolean;
BEGIN
  SELECT * INTO b FROM balance AS o WHERE o.company_id = company FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = 0;
  -- Campaigns that were live, or had an allotment, when the company was switched.
  INSERT INTO allotment_due AS d (company_id, campaign_id)
  SELECT n.company_id, n.campaign_id FROM (
    SELECT c.company_id, c.id AS campaign_id FROM campaign AS c
    WHERE b.is_prepaid AND c.company_id = company AND coalesce(c.format, c.type) = ANY (kinds)
      AND c.status = 'live' AND NOT c.is_prepaid
    UNION ALL
    SELECT g.company_id, g.campaign_id FROM campaign_progress AS g
    WHERE NOT b.is_prepaid AND g.company_id = company AND g.allotment IS NOT NULL
  ) AS n
  ORDER BY n.campaign_id
  ON CONFLICT (company_id, campaign_id) DO UPDATE SET is_waiting = false WHERE d.is_waiting;
  SELECT coalesce(sum(g.allotment - g.held - g.spent), 0) AS allotted,
    -- A campaign without limits does not end a shortage before it could get two allotments.
    coalesce(sum(CASE WHEN g.budget IS NULL AND g.max_responses IS NULL
      THEN full_at * c.largest_reward * CASE WHEN b.is_low THEN 2 ELSE 1 END
      ELSE greatest(0, still_to_come(company, c.id))
    END), 0) AS to_come
  INTO s
  FROM campaign AS c
  JOIN campaign_progress AS g ON g.company_id = company AND g.campaign_id = c.id
  WHERE c.company_id = company AND coalesce(c.format, c.type) = ANY (kinds)
    AND c.status = 'live' AND c.is_prepaid;
  is_short := b.is_prepaid AND b.available + s.allotted < s.to_come;
  IF is_short <> b.is_low THEN
    UPDATE balance AS o SET is_low = is_short WHERE o.company_id = company;
    IF is_short THEN
      PERFORM record_balance_event(company, 'balance.low', jsonb_build_object(
        'available', b.available, 'allotted', s.allotted, 'still_to_come', s.to_come));
    END IF;
  END IF;
END $$;
