-- Looks at the allotment of a campaign (see allot), and stores whether the campaign has one. It waits for
-- the campaign at most "patience" milliseconds.
CREATE OR REPLACE FUNCTION allot_campaign(
  company uuid, campaign_of bigint, gives boolean, patience integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c campaign%ROWTYPE;
  state text;
BEGIN
  PERFORM set_config('lock_timeout', patience::text, true);
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = campaign_of;
    RETURN NULL;
  END IF;
  state := allot(c, gives);
  WHILE c.is_prepaid <> (state IS NOT NULL) LOOP
    UPDATE campaign AS o SET is_prepaid = state IS NOT NULL
    WHERE o.company_id = company AND o.id = campaign_of;
    EXIT WHEN FOUND;
    -- A start or an end has come, which is stored first: see advance_campaign.
    UPDATE campaign AS o SET due_at = NULL, updated_by = 'service'
    WHERE o.company_id = company AND o.id = campaign_of
    RETURNING * INTO c;
  END LOOP;
  RETURN state;
END $$;
