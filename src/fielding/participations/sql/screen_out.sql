-- Pays a respondent whom the screening questions of a campaign refuse, unless "maximum" others were
-- paid already, and returns what was paid: null if nothing was. The participation that it leaves is
-- closed from the beginning on. It has the respondent, so that nobody is paid twice, and nothing of the
-- answers. The caller has locked the campaign and knows that the respondent has no participation in it.
CREATE OR REPLACE FUNCTION screen_out(
  c campaign, participation uuid, agent text, who bytea, reward numeric, maximum integer,
  caller text, moment timestamptz
) RETURNS numeric LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  progress campaign_progress%ROWTYPE;
  logged timestamptz := greatest(clock_timestamp(), c.updated_at + interval '1 microsecond');
BEGIN
  SELECT * INTO progress FROM campaign_progress AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF progress.screened_out >= maximum THEN
    RETURN NULL;
  END IF;
  -- Events are numbered by their times, so these are in the order of the counters.
  UPDATE campaign_progress AS g
  SET screened_out = g.screened_out + 1, spent = g.spent + reward,
    screen_out_spent = g.screen_out_spent + reward,
    logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
    -- Whoever could not begin is not paid either.
    AND has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
      greatest(c.largest_reward, reward))
  RETURNING * INTO progress;
  IF NOT FOUND THEN
    PERFORM refuse_place(c, greatest(c.largest_reward, reward));
  END IF;
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent, state,
    rewards, held, begun_at, expires_at, closed_at)
  VALUES (company, campaign_of, participation, agent, who, 'screened_out',
    array_fill(reward, ARRAY[5]), reward, moment, moment + interval '1 minute', moment);
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  VALUES (company, campaign_of, participation, 'screen_out', reward);
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, 1, 'participation.screened_out', caller,
    jsonb_build_object('post_id', c.post_id, 'reward', reward, 'screened_out', progress.screened_out,
      'answered', progress.answered, 'spent', progress.spent, 'held', progress.held),
    progress.logged_at);
  IF c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  RETURN reward;
END $$;
