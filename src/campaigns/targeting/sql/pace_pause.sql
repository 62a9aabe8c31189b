-- Returns the seconds until somebody can begin a campaign in which no more than "per_hour" may begin
-- within an hour; null if that is now. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION pace_pause(
  company uuid, campaign_of bigint, per_hour integer, moment timestamptz
) RETURNS integer LANGUAGE plpgsql
-- A plan that was made while a table was small must not scan it when it has grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  last_minute integer;
  counts integer[];
  total integer := 0;
  leaves numeric;
  seconds numeric := extract(epoch FROM moment);
BEGIN
  SELECT b.minute, b.begun INTO last_minute, counts FROM begin_pace AS b
  WHERE b.company_id = company AND b.campaign_id = campaign_of;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- If the clock was set back, it is still the last minute.
  seconds := greatest(seconds, last_minute * 60.0);
  FOR place IN REVERSE 61 .. 1 LOOP
    leaves := (last_minute + place) * 60.0;
    IF leaves <= seconds THEN
      RETURN NULL;
    END IF;
    total := total + counts[place];
    IF total >= per_hour THEN
      RETURN ceil(leaves - seconds);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
