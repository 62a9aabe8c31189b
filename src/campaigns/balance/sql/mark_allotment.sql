-- Marks the allotment of a campaign when a step of a respondent makes it low, or leaves in it what is not
-- needed there. The rows of campaigns without an allotment never get here.
CREATE OR REPLACE FUNCTION mark_allotment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  full_at CONSTANT integer := 100;
  low_at CONSTANT integer := 50;
  c record;
  before numeric := OLD.allotment - OLD.held - OLD.spent;
  spare numeric := NEW.allotment - NEW.held - NEW.spent;
BEGIN
  SELECT o.is_live, o.largest_reward INTO c FROM campaign AS o
  WHERE o.company_id = NEW.company_id AND o.id = NEW.campaign_id;
  IF (CASE WHEN c.is_live THEN spare > 2 * full_at * c.largest_reward
      OR spare < low_at * c.largest_reward
        AND (before >= low_at * c.largest_reward OR spare < c.largest_reward)
    ELSE spare > 0 END)
  THEN
    PERFORM mark_allotment_due(NEW.company_id, NEW.campaign_id, NOT c.is_live);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER campaign_progress_allotment BEFORE UPDATE ON campaign_progress
  FOR EACH ROW WHEN (NEW.allotment = OLD.allotment) EXECUTE FUNCTION mark_allotment();
