-- Stores an update of a campaign with its events, each of which increments the version. What clients
-- do not see, such as due_at, changes without a new version.
--
-- An update that sets due_at to null, where it is not, stores the start or the end whose time has
-- come, and changes no row if none has come. While one is due, any other update changes no row: its
-- caller stores what is due first and tries again. So what the clock does is a change of its own,
-- before the change of whoever notices it, and is made once.
--
-- Its events are later than the last one of the campaign or of a response to it: whatever the clock
-- does, the sequencer keeps that order.
--
-- A start is pending from when starts_at is set until the campaign goes live, by whatever means, or
-- the archive, a limit or a guardrail cancels it. What cancels it removes starts_at. An end that
-- passes completes the campaign, live or not.
CREATE OR REPLACE FUNCTION advance_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  actor text := NEW.updated_by;
  logged timestamptz;
  -- The rows of a cluster's shards have types of their own.
  before campaign := OLD;
  after campaign;
  rewards_changed boolean;
  limits_changed boolean;
  pending boolean := false;
  ended boolean := false;
  event jsonb;
BEGIN
  IF (OLD.due_at <= moment) = (NEW.due_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  NEW.version := OLD.version;
  NEW.updated_at := OLD.updated_at;
  NEW.updated_by := OLD.updated_by;
  -- What is derived from the others.
  NEW.status := OLD.status;
  NEW.largest_reward := OLD.largest_reward;
  IF NEW IS NOT DISTINCT FROM OLD THEN
    RETURN OLD;
  END IF;

  rewards_changed := NEW.cohort_rewards <> OLD.cohort_rewards;
  limits_changed := (NEW.max_responses, NEW.budget) IS DISTINCT FROM (OLD.max_responses, OLD.budget);
  IF limits_changed OR NEW.exhausted_by IS NOT NULL
    OR (NEW.is_live, NEW.archived, NEW.starts_at, NEW.ends_at, NEW.due_at, NEW.exhausted_by)
      IS DISTINCT FROM
        (OLD.is_live, OLD.archived, OLD.starts_at, OLD.ends_at, OLD.due_at, OLD.exhausted_by)
    OR (NEW.budget IS NOT NULL AND rewards_changed)
  THEN
    IF limits_changed THEN
      INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
      VALUES (NEW.company_id, NEW.id, NEW.max_responses, NEW.budget)
      ON CONFLICT (company_id, campaign_id) DO UPDATE
      SET max_responses = excluded.max_responses, budget = excluded.budget;
    END IF;
    IF limits_changed OR rewards_changed OR NEW.exhausted_by IS NOT NULL
      OR OLD.exhausted_by IS NOT NULL
    THEN
      NEW.exhausted_by := campaign_exhausted_by(NEW.company_id, NEW.id,
        (SELECT max(reward) FROM unnest(NEW.cohort_rewards) AS reward));
    END IF;
    IF NEW.ends_at <= moment AND NEW.starts_at > moment AND NEW.starts_at = OLD.starts_at THEN
      -- The owner ends it before its start, which never comes.
      NEW.starts_at := NULL;
    END IF;
    IF NOT (NEW.is_live OR NEW.archived) AND NEW.exhausted_by IS NULL THEN
      pending := coalesce(
        CASE WHEN NEW.starts_at IS DISTINCT FROM OLD.starts_at
          THEN NEW.starts_at IS NOT NULL AND (NEW.ends_at > moment) IS NOT FALSE
          ELSE OLD.due_at = OLD.starts_at AND NOT OLD.is_live
        END, false);
    END IF;
    IF pending AND NEW.starts_at <= moment THEN
      NEW.is_live := true;
      pending := false;
    ELSIF NEW.ends_at <= moment THEN
      IF NEW.is_live AND NOT OLD.is_live THEN
        -- A condition on the clock, which no constraint can have, under the name of one.
        RAISE EXCEPTION 'an ended campaign violates constraint "campaign_live_unless_ends_at_passed"'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_unless_ends_at_passed';
      END IF;
      NEW.is_live := false;
      pending := false;
      ended := true;
    END IF;
    IF NEW.exhausted_by IS NOT NULL AND OLD.is_live THEN
      NEW.is_live := false;
    END IF;
    IF OLD.due_at = OLD.starts_at AND NEW.starts_at = OLD.starts_at AND NEW.starts_at > moment
      AND NOT (OLD.is_live OR NEW.is_live OR pending)
    THEN
      -- Something else has cancelled its start: the same time, sent again, schedules another one.
      NEW.starts_at := NULL;
    END IF;
    NEW.due_at := CASE
      WHEN ended OR NEW.archived OR NEW.exhausted_by IS NOT NULL THEN NULL
      WHEN pending THEN NEW.starts_at
      ELSE NEW.ends_at
    END;
    IF NEW.is_live THEN
      NEW.stop_reason := NULL;
    ELSIF OLD.is_live THEN
      NEW.stop_reason := CASE
        WHEN NEW.archived THEN 'archived'
        WHEN ended THEN 'ends_at_passed'
        -- Null while it was live, unless a guardrail stops it.
        ELSE coalesce(NEW.exhausted_by[1], NEW.stop_reason, 'stopped_by_owner')
      END;
    END IF;
  END IF;
  IF NEW.is_live AND NOT OLD.is_live THEN
    after := NEW;
    after.largest_reward := (SELECT max(reward) FROM unnest(NEW.cohort_rewards) AS reward);
    NEW.is_prepaid := start_allotment(after, actor);
  ELSIF NEW.is_prepaid AND (limits_changed OR rewards_changed OR OLD.is_live AND NOT NEW.is_live) THEN
    PERFORM mark_allotment_due(NEW.company_id, NEW.id, true);
  END IF;

  NEW.status := campaign_stored_status(NEW.is_live, NEW.archived, NEW.starts_at, NEW.ends_at,
    NEW.due_at, NEW.exhausted_by, NEW.stop_reason);
  after := NEW;
  IF (OLD.is_live OR NEW.is_live OR OLD.due_at = OLD.starts_at OR NEW.due_at = NEW.starts_at)
    AND (limits_changed OR rewards_changed OR OLD.is_live <> NEW.is_live
      OR (OLD.due_at = OLD.starts_at) IS DISTINCT FROM (NEW.due_at = NEW.starts_at))
  THEN
    PERFORM charge_campaign(before, after, actor);
  END IF;
  logged := greatest(moment, interval '1 microsecond' + greatest(OLD.updated_at, (
    SELECT g.logged_at FROM campaign_progress AS g
    WHERE g.company_id = NEW.company_id AND g.campaign_id = NEW.id
  )));
  FOREACH event IN ARRAY campaign_changes(before, after) LOOP
    NEW.version := NEW.version + 1;
    NEW.updated_at := logged;
    NEW.updated_by := actor;
    PERFORM record_event(NEW.company_id, NEW.post_id, NEW.version, event ->> 'type', actor,
      event -> 'changes', NEW.updated_at);
  END LOOP;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER campaign_advanced BEFORE UPDATE ON campaign
  FOR EACH ROW EXECUTE FUNCTION advance_campaign();
