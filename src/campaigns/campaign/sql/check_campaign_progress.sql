-- The rules about several columns of a campaign's counters, each with its name.
CREATE OR REPLACE FUNCTION check_campaign_progress() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN NEW.answered > NEW.taken THEN 'campaign_progress_answered_taken'
    WHEN NEW.reversed > NEW.answered THEN 'campaign_progress_reversed_answered'
    WHEN NEW.screen_out_spent + NEW.bonus_spent > NEW.spent
      THEN 'campaign_progress_screen_out_spent'
    WHEN NEW.held + NEW.spent > NEW.allotment THEN 'campaign_progress_within_allotment'
    WHEN NEW.held + NEW.spent > NEW.budget THEN 'campaign_progress_within_budget'
    WHEN NEW.taken > NEW.max_responses THEN 'campaign_progress_within_max_responses'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'the counters of a campaign violate constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER campaign_progress_valid BEFORE INSERT OR UPDATE ON campaign_progress
  FOR EACH ROW EXECUTE FUNCTION check_campaign_progress();
