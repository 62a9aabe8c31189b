-- Sets the columns of a campaign that are derived from others, whatever they were given, and checks the
-- rules about several columns, each with its name. A comparison with null breaks none.
--
-- A generated column or a check of the table would be parsed again in each statement. The names of the
-- triggers decide their order: this one sees what the others have made of a row.
CREATE OR REPLACE FUNCTION check_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN substr(NEW.company_id::text, 15, 1) NOT IN ('7', '8') THEN 'campaign_environment'
    WHEN (NEW.type = 'survey') <> (NEW.format IS NOT NULL) THEN 'campaign_format_known'
    WHEN NEW.cohort_rewards[5] <> NEW.reward_amount THEN 'campaign_cohort_5_equals_reward'
    -- Cohort 5 has the same reward.
    WHEN currency_places(NEW.currency) = 0 AND (
        NEW.reward_amount % 1 <> 0 OR NEW.budget % 1 <> 0
        OR NEW.cohort_rewards[1] % 1 <> 0
        OR NEW.cohort_rewards[2] % 1 <> 0 OR NEW.cohort_rewards[3] % 1 <> 0
        OR NEW.cohort_rewards[4] % 1 <> 0)
      THEN 'campaign_minor_unit'
    WHEN NEW.type = 'advertisement' AND num_nulls(NEW.video_url, NEW.has_feedback) > 0
      THEN 'campaign_advertisement_fields'
    WHEN NEW.type <> 'advertisement' AND num_nonnulls(NEW.video_url, NEW.has_feedback,
        NEW.thumbnail_url, NEW.duration_seconds) > 0
      THEN 'campaign_advertisement_fields'
    -- Any content has 1 to 20 images, by its domain.
    WHEN CASE NEW.format
        WHEN 'round_robin' THEN jsonb_array_length(NEW.image_survey -> 'images') >= 3
        WHEN 'binary' THEN jsonb_array_length(NEW.image_survey -> 'images') = 2
        WHEN 'image_slider' THEN NEW.image_survey ? 'scale'
        ELSE NEW.image_survey IS NULL
      END IS NOT TRUE
      THEN 'campaign_image_survey'
    WHEN num_nonnulls(NEW.image_survey, NEW.question_set_version) = 2
      THEN 'campaign_image_survey_fixed'
    WHEN NEW.ends_at <= NEW.starts_at THEN 'campaign_ends_after_start'
    WHEN NEW.is_live AND NEW.archived THEN 'campaign_live_unless_archived'
    WHEN NEW.is_live AND NEW.exhausted_by IS NOT NULL
      THEN 'campaign_live_unless_' || NEW.exhausted_by[1]
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a campaign violates constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  NEW.largest_reward := greatest(NEW.cohort_rewards[1], NEW.cohort_rewards[2],
    NEW.cohort_rewards[3], NEW.cohort_rewards[4], NEW.cohort_rewards[5]);
  NEW.status := campaign_stored_status(NEW.is_live, NEW.archived, NEW.starts_at, NEW.ends_at,
    NEW.due_at, NEW.exhausted_by, NEW.stop_reason);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER campaign_valid BEFORE INSERT OR UPDATE ON campaign
  FOR EACH ROW EXECUTE FUNCTION check_campaign();
