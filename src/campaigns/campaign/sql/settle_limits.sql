-- Completes a campaign whose last place or money was used, or says that some is left again. The
-- caller has locked the campaign and read it.
--
-- What is paid and held falls after a stop too, and with it what the campaign commits. While it is live,
-- or waits for its start, its commitment stays until the next change.
CREATE OR REPLACE FUNCTION settle_limits(c campaign) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  exhausted text[] := campaign_exhausted_by(c.company_id, c.id, c.largest_reward);
BEGIN
  IF exhausted IS DISTINCT FROM c.exhausted_by THEN
    LOOP
      UPDATE campaign AS o SET exhausted_by = exhausted, updated_by = 'service'
      WHERE o.company_id = c.company_id AND o.id = c.id;
      EXIT WHEN FOUND;
      -- A start or an end has come, which is stored first: see advance_campaign.
      UPDATE campaign AS o SET due_at = NULL, updated_by = 'service'
      WHERE o.company_id = c.company_id AND o.id = c.id;
    END LOOP;
  END IF;
  IF NOT c.is_live AND (c.due_at = c.starts_at) IS NOT TRUE THEN
    PERFORM charge_campaign(c, c, 'service');
  END IF;
END $$;
