-- The most that a campaign of a company can cost as it is: see campaign_commitment.
CREATE OR REPLACE FUNCTION commitment_of(company uuid, campaign_of bigint) RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
  c campaign%ROWTYPE;
BEGIN
  SELECT * INTO c FROM campaign AS o WHERE o.company_id = company AND o.id = campaign_of;
  RETURN campaign_commitment(c);
END $$;
