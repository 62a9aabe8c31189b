-- Expires what is over its time in a campaign, at most 500, and returns how much that was. What
-- another transaction has locked is being submitted or abandoned there.
--
-- Whoever expires has the campaign's lock first, as whoever begins has: otherwise one that waits for
-- the campaign would hide expired places from those who begin meanwhile. It waits for it at most
-- "patience" milliseconds; 0 is as long as the statement may take.
CREATE OR REPLACE FUNCTION expire_participations(
  company uuid, campaign_of bigint, patience integer DEFAULT 0
) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  moment timestamptz(3);
  expired uuid[];
BEGIN
  IF patience > 0 THEN
    PERFORM set_config('lock_timeout', patience::text, true);
  END IF;
  PERFORM 1 FROM campaign AS o WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
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
