-- Decides what the times of a new campaign mean: when the clock changes it first, and whether it starts
-- or ends with its creation, which is then its version 2.
CREATE OR REPLACE FUNCTION schedule_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  IF NEW.ends_at <= moment THEN
    IF NEW.is_live THEN
      -- A condition on the clock, which no constraint can have, under the name of one.
      RAISE EXCEPTION 'an ended campaign violates constraint "campaign_live_unless_ends_at_passed"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_unless_ends_at_passed';
    END IF;
    NEW.version := 2;
  ELSIF NEW.starts_at > moment AND NOT NEW.is_live THEN
    NEW.due_at := NEW.starts_at;
  ELSE
    IF NOT NEW.is_live AND NEW.starts_at IS NOT NULL THEN
      NEW.is_live := true;
      NEW.version := 2;
    END IF;
    NEW.due_at := NEW.ends_at;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER campaign_scheduled BEFORE INSERT ON campaign
  FOR EACH ROW WHEN (NEW.starts_at IS NOT NULL OR NEW.ends_at IS NOT NULL)
  EXECUTE FUNCTION schedule_campaign();
