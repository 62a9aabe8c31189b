-- Writes the event of a new campaign, and its limits. Most creations set none of the optional
-- fields; the smaller object takes half the time.
CREATE OR REPLACE FUNCTION record_campaign_created() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The rows of a cluster's shards have types of their own.
  created campaign;
  changes jsonb := jsonb_build_object(
    'type', NEW.type, 'format', NEW.format, 'title', NEW.title, 'description', NEW.description,
    'category', NEW.category, 'tagline', NEW.tagline,
    'currency', NEW.currency, 'reward_amount', NEW.reward_amount,
    'cohort_1_reward', NEW.cohort_rewards[1], 'cohort_2_reward', NEW.cohort_rewards[2],
    'cohort_3_reward', NEW.cohort_rewards[3], 'cohort_4_reward', NEW.cohort_rewards[4],
    'cohort_5_reward', NEW.cohort_rewards[5], 'is_live', NEW.is_live AND NEW.version = 1
  );
BEGIN
  IF num_nonnulls(NEW.external_ref, NEW.content_url, NEW.video_url, NEW.thumbnail_url,
    NEW.duration_seconds, NEW.has_feedback, NEW.image_survey, NEW.starts_at, NEW.ends_at,
    NEW.max_responses, NEW.budget, NEW.answer_minutes, NEW.review_days,
    NEW.maximum_dispute_share, NEW.banners, NEW.margins,
    NEW.question_set_version) > 0
  THEN
    changes := jsonb_strip_nulls(changes || jsonb_build_object(
      'external_ref', NEW.external_ref, 'content_url', NEW.content_url,
      'video_url', NEW.video_url, 'thumbnail_url', NEW.thumbnail_url,
      'duration_seconds', NEW.duration_seconds, 'has_feedback', NEW.has_feedback,
      'image_survey', NEW.image_survey,
      'starts_at', json_time(NEW.starts_at), 'ends_at', json_time(NEW.ends_at),
      'max_responses', NEW.max_responses, 'budget', NEW.budget,
      'answer_minutes', NEW.answer_minutes, 'review_days', NEW.review_days,
      'maximum_dispute_share', NEW.maximum_dispute_share, 'banners', NEW.banners, 'margins', NEW.margins,
      'question_set_version', NEW.question_set_version
    ));
    IF NEW.max_responses IS NOT NULL OR NEW.budget IS NOT NULL THEN
      INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
      VALUES (NEW.company_id, NEW.id, NEW.max_responses, NEW.budget);
    END IF;
  END IF;
  PERFORM record_event(NEW.company_id, NEW.post_id, 1, 'campaign.created', NEW.updated_by, changes,
    NEW.updated_at);
  IF NEW.is_live THEN
    created := NEW;
    IF start_allotment(created, NEW.updated_by) THEN
      UPDATE campaign AS c SET is_prepaid = true
      WHERE c.company_id = NEW.company_id AND c.id = NEW.id;
    END IF;
  END IF;
  IF NEW.version = 2 THEN
    -- A time that had come before the creation started or ended it: see schedule_campaign.
    PERFORM record_event(NEW.company_id, NEW.post_id, 2,
      CASE WHEN NEW.is_live THEN 'campaign.started' ELSE 'campaign.completed' END, NEW.updated_by,
      CASE WHEN NEW.is_live THEN '{"is_live": {"old": false, "new": true}}'::jsonb
        ELSE '{"status": {"old": "draft", "new": "completed"}}' END,
      NEW.updated_at);
  END IF;
  IF NEW.is_live OR NEW.due_at = NEW.starts_at THEN
    created := NEW;
    PERFORM charge_campaign(NULL, created, NEW.updated_by);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER campaign_created AFTER INSERT ON campaign
  FOR EACH ROW EXECUTE FUNCTION record_campaign_created();
