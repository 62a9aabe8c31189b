-- Lets a key commit what a campaign can cost, although that is more than the key may without its account,
-- if this transaction carries out an approved request of the key. The approval keeps what is committed.
CREATE OR REPLACE FUNCTION require_approval(c campaign, actor text, above numeric, was numeric, becomes numeric)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval AS a
  SET campaign_id = c.id, commits = becomes, adds = coalesce(a.adds, 0) + (becomes - was)
  WHERE a.company_id = c.company_id AND a.key_id = stored_id(actor)
    AND a.run_in = pg_current_xact_id();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a commitment violates constraint "campaign_commitment_approved"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_commitment_approved',
        DETAIL = jsonb_build_object('limit', above, 'required', becomes, 'currency', c.currency);
  END IF;
END $$;
