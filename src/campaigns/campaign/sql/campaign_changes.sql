-- The events of an update of a campaign, in order: one for each kind of change, such as
-- {"type": "campaign.started", "changes": {"is_live": {"old": false, "new": true}}}.
CREATE OR REPLACE FUNCTION campaign_changes(before campaign, after campaign) RETURNS jsonb[]
LANGUAGE plpgsql STABLE AS $$
DECLARE
  is_moved boolean := before.archived <> after.archived;
  is_completed boolean := after.status = 'completed' AND NOT is_moved;
  -- The event of its stop comes before that of the archive.
  status jsonb := field_change('status',
    CASE WHEN is_moved AND before.is_live THEN 'paused' ELSE before.status END, after.status);
  stop_reason jsonb := field_change('stop_reason', before.stop_reason, after.stop_reason);
  is_live jsonb := field_change('is_live', before.is_live, after.is_live);
  questions jsonb := field_change(
    'question_set_version', before.question_set_version, after.question_set_version);
  targeting jsonb := field_change(
    'targeting_version', before.targeting_version, after.targeting_version);
  rewards jsonb := jsonb_build_object();
  others jsonb :=
    field_change('type', before.type, after.type)
    || field_change('format', before.format, after.format)
    || field_change('title', before.title, after.title)
    || field_change('description', before.description, after.description)
    || field_change('category', before.category, after.category)
    || field_change('tagline', before.tagline, after.tagline)
    || field_change('reward_amount', before.reward_amount, after.reward_amount)
    || field_change('external_ref', before.external_ref, after.external_ref)
    || field_change('content_url', before.content_url, after.content_url)
    || field_change('video_url', before.video_url, after.video_url)
    || field_change('thumbnail_url', before.thumbnail_url, after.thumbnail_url)
    || field_change('duration_seconds', before.duration_seconds, after.duration_seconds)
    || field_change('has_feedback', before.has_feedback, after.has_feedback)
    || field_change('image_survey', before.image_survey, after.image_survey)
    || field_change('starts_at', json_time(before.starts_at), json_time(after.starts_at))
    || field_change('ends_at', json_time(before.ends_at), json_time(after.ends_at))
    || field_change('max_responses', before.max_responses, after.max_responses)
    || field_change('budget', before.budget, after.budget)
    || field_change('answer_minutes', before.answer_minutes, after.answer_minutes)
    || field_change('review_days', before.review_days, after.review_days)
    || field_change('maximum_dispute_share', before.maximum_dispute_share, after.maximum_dispute_share)
    || field_change('banners', before.banners, after.banners)
    || field_change('margins', before.margins, after.margins);
  events jsonb[] := ARRAY[]::jsonb[];
BEGIN
  IF before.cohort_rewards <> after.cohort_rewards THEN
    FOR cohort IN 1 .. 5 LOOP
      rewards := rewards || field_change('cohort_' || cohort || '_reward',
        before.cohort_rewards[cohort], after.cohort_rewards[cohort]);
    END LOOP;
    IF others ? 'reward_amount' THEN
      -- The rewards that a new reward_amount recalculates belong to its update.
      others := others || rewards;
    ELSE
      events := events
        || jsonb_build_object('type', 'campaign.cohort_rewards_updated', 'changes', rewards);
    END IF;
  END IF;
  IF others <> '{}' THEN
    events := jsonb_build_object('type', 'campaign.updated', 'changes', others) || events;
  END IF;
  IF questions <> '{}' THEN
    events := events
      || jsonb_build_object('type', 'campaign.questions_replaced', 'changes', questions);
  END IF;
  IF targeting <> '{}' THEN
    events := events
      || jsonb_build_object('type', 'campaign.targeting_replaced', 'changes', targeting);
  END IF;
  IF is_live <> '{}' AND NOT is_completed THEN
    events := events || jsonb_build_object(
      'type', CASE WHEN after.is_live THEN 'campaign.started' ELSE 'campaign.stopped' END,
      'changes', is_live);
  END IF;
  IF is_moved THEN
    events := events || jsonb_build_object(
      'type', CASE WHEN after.archived THEN 'campaign.archived' ELSE 'campaign.unarchived' END,
      'changes', status);
  END IF;
  IF is_completed AND status <> '{}' THEN
    events := events
      || jsonb_build_object('type', 'campaign.completed', 'changes', status || is_live);
  END IF;
  IF events = '{}' AND status || stop_reason <> '{}' THEN
    -- A reversal gave money back, or a guardrail fired after something else had stopped it; nothing
    -- else says so.
    events := ARRAY[
      jsonb_build_object('type', 'campaign.updated', 'changes', status || stop_reason)
    ];
  END IF;
  RETURN events;
END $$;
