-- Lets a key commit what a campaign can cost, although that is more than the key may without its account,
-- if this transaction carries out an approved request of the key. The approval keeps the campaign.
CREATE OR REPLACE FUNCTION require_approval(c campaign, actor text, above numeric, becomes numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  acting CONSTANT uuid := stored_id(actor);
  carrier CONSTANT xid8 := pg_current_xact_id();
BEGIN
  UPDATE approval AS a SET campaign_id = campaign_of
  WHERE a.company_id = company AND a.key_id = acting AND a.run_in = carrier;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a commitment violates constraint "campaign_commitment_approved"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_commitment_approved',
        DETAIL = jsonb_build_object('limit', above, 'required', becomes, 'currency', c.currency);
  END IF;
END $$;
