-- Respondents who have begun a campaign rely on its terms of disputes, so these do not grow any more.
CREATE OR REPLACE FUNCTION keep_dispute_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN coalesce(NEW.review_days, 0) > coalesce(OLD.review_days, 0) THEN 'campaign_review_days_kept'
    WHEN coalesce(NEW.maximum_dispute_share, 0) > coalesce(OLD.maximum_dispute_share, 0)
      THEN 'campaign_dispute_share_kept'
  END;
BEGIN
  IF broken IS NOT NULL AND EXISTS (
    SELECT FROM campaign_progress AS g
    WHERE g.company_id = NEW.company_id AND g.campaign_id = NEW.id
      AND g.taken + g.abandoned + g.expired > 0
  ) THEN
    RAISE EXCEPTION 'a campaign violates constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER campaign_dispute_terms BEFORE UPDATE OF review_days, maximum_dispute_share
  ON campaign FOR EACH ROW EXECUTE FUNCTION keep_dispute_terms();
