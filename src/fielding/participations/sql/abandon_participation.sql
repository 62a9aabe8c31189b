-- Gives up a place. It changes nothing if the participation is not open any more; one whose time is
-- over is expired. It returns the participation as it then is, but without the answers, and what this
-- call made of it: null if nothing.
CREATE OR REPLACE FUNCTION abandon_participation(
  company uuid, campaign_of bigint, participation uuid, OUT part participation, OUT became text
) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  part.answers := NULL;
  IF part.state = 'open' THEN
    moment := date_trunc('milliseconds', clock_timestamp());
    became := CASE WHEN part.expires_at <= moment THEN 'expired' ELSE 'abandoned' END;
    PERFORM release_participations(company, campaign_of, ARRAY[participation], became, moment);
    SELECT * INTO part FROM participation AS o
    WHERE o.company_id = company AND o.campaign_id = campaign_of
      AND o.participation_id = participation;
  END IF;
END $$;
