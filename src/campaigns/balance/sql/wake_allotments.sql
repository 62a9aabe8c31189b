-- Lets campaigns of a company that wait for money look again: a few, those first that nobody can begin.
-- Each that gets some wakes the next ones. What another transaction has locked, it marks as due itself.
-- The caller has locked the balance.
CREATE OR REPLACE FUNCTION wake_allotments(company uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE allotment_due AS d SET is_waiting = false
  WHERE d.company_id = company AND d.campaign_id IN (
    SELECT o.campaign_id FROM allotment_due AS o
    WHERE o.company_id = company AND o.is_waiting
    ORDER BY o.is_dry DESC, o.due_at LIMIT 20
    FOR NO KEY UPDATE SKIP LOCKED
  );
END $$;
