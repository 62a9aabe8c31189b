-- Gives up a place. It changes nothing if the participation is not open any more; one whose time is
-- over is expired. It returns the participation as it then is.
CREATE OR REPLACE FUNCTION abandon_participation(
  company text, campaign_of bigint, participation text
) RETURNS participation LANGUAGE plpgsql AS $$
DECLARE
  part participation%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  IF part.state = 'open' THEN
    moment := date_trunc('milliseconds', clock_timestamp());
    PERFORM release_participations(company, campaign_of, ARRAY[participation],
      CASE WHEN part.expires_at <= moment THEN 'expired' ELSE 'abandoned' END, moment);
    SELECT * INTO part FROM participation AS o
    WHERE o.company_id = company AND o.campaign_id = campaign_of
      AND o.participation_id = participation;
  END IF;
  RETURN part;
END $$;
