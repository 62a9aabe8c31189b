-- The most that a campaign can cost as it is, with what is paid and held: null if nothing limits it.
-- What is live, or waits for its start, can still cost what the launch check says (launch-check.rules.ts
-- has the same sum); of any other campaign, only what is held can still be paid.
CREATE OR REPLACE FUNCTION campaign_commitment(c campaign) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  progress campaign_progress%ROWTYPE;
  largest numeric := greatest(c.cohort_rewards[1], c.cohort_rewards[2], c.cohort_rewards[3],
    c.cohort_rewards[4], c.cohort_rewards[5]);
  screen_out_reward numeric;
  screen_outs numeric := 0;
  open_places numeric;
BEGIN
  SELECT * INTO progress FROM campaign_progress AS g
  WHERE g.company_id = c.company_id AND g.campaign_id = c.id;
  IF NOT (c.is_live OR coalesce(c.due_at = c.starts_at, false)) THEN
    RETURN coalesce(progress.spent + progress.held, 0);
  END IF;
  IF c.targeting_version IS NOT NULL THEN
    -- Of a null, greatest makes 0.
    SELECT (t.content ->> 'screen_out_reward')::numeric,
      CASE WHEN t.content ->> 'maximum_screen_outs' IS NOT NULL THEN greatest(0,
        (t.content ->> 'maximum_screen_outs')::numeric - coalesce(progress.screened_out, 0)) END
    INTO screen_out_reward, screen_outs
    FROM targeting AS t
    WHERE t.company_id = c.company_id AND t.campaign_id = c.id AND t.version = c.targeting_version;
  END IF;
  IF c.max_responses IS NULL
    OR (screen_out_reward IS NOT NULL AND screen_outs IS NULL)
  THEN
    RETURN c.budget;
  END IF;
  -- If a place expires, it is taken again, at the rewards of that time.
  SELECT coalesce(sum(greatest(p.held, largest)), 0) INTO open_places FROM participation AS p
  WHERE p.company_id = c.company_id AND p.campaign_id = c.id AND p.state = 'open';
  RETURN least(c.budget, coalesce(progress.spent, 0) + open_places
    + largest * (c.max_responses - coalesce(progress.taken, 0))
    + coalesce(screen_out_reward * screen_outs, 0));
END $$;
