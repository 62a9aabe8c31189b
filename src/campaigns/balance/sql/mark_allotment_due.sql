-- Lets the service look at the allotment of a campaign soon. One that waits for money because nobody
-- can begin it goes on waiting, unless "changed" says that it needs less. The caller has locked the
-- campaign, and does not lock what goes on waiting: wake_allotments passes over what is locked.
CREATE OR REPLACE FUNCTION mark_allotment_due(company uuid, campaign_of bigint, changed boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known record;
BEGIN
  SELECT d.is_waiting, d.is_dry INTO known FROM allotment_due AS d
  WHERE d.company_id = company AND d.campaign_id = campaign_of;
  IF NOT FOUND THEN
    INSERT INTO allotment_due (company_id, campaign_id) VALUES (company, campaign_of);
  ELSIF known.is_waiting AND (changed OR NOT known.is_dry) THEN
    UPDATE allotment_due AS d SET is_waiting = false
    WHERE d.company_id = company AND d.campaign_id = campaign_of;
  END IF;
END $$;
