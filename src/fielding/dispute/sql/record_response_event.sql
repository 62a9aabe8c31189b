-- Writes an event of a submitted participation. The caller has locked the participation and the
-- campaign, and has not made the change that it is about, which decides its version.
CREATE OR REPLACE FUNCTION record_response_event(
  c campaign, part participation, event text, caller text, changes jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := part.company_id;
  campaign_of CONSTANT bigint := part.campaign_id;
  participation CONSTANT uuid := part.participation_id;
  -- A cluster refuses an update with the clock, or with the time zone of a session.
  logged CONSTANT timestamptz :=
    greatest(clock_timestamp(), part.closed_at, c.updated_at + interval '1 microsecond');
  moment timestamptz;
BEGIN
  -- Events are numbered by their times, so these are in the order of the counters.
  UPDATE campaign_progress AS g
  SET logged_at = greatest(logged,
    (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
  RETURNING g.logged_at INTO moment;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, next_response_version(part), event, caller,
    jsonb_build_object('post_id', c.post_id) || changes, moment);
END $$;
