-- Expires what is over its time in a campaign, at most 500, and returns how much that was. What
-- another transaction has locked is being submitted, abandoned or expired there.
CREATE OR REPLACE FUNCTION expire_participations(company uuid, campaign_of bigint)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz(3) := date_trunc('milliseconds', clock_timestamp());
  expired uuid[];
BEGIN
  SELECT array_agg(o.participation_id) INTO expired FROM (
    SELECT p.participation_id FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id = campaign_of AND p.state = 'open'
      AND p.expires_at <= moment
    ORDER BY p.expires_at LIMIT 500
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS o;
  IF expired IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM release_participations(company, campaign_of, expired, 'expired', moment);
  RETURN cardinality(expired);
END $$;
