-- Takes a place in a live campaign, unless the respondent has one, and returns the participation_id,
-- and how many others it has expired. The participation_id is null if the campaign is not stored as
-- its times say; the caller stores that first.
--
-- The caller has compared the respondent with the rules of whom the campaign asks, of version
-- "known_rules": "own_cells" are the cells that match, and "is_screened_out" says that the rules
-- refuse the respondent. The participation_id is null too if the campaign has other rules by now,
-- whose version is then returned, 0 without rules, or if the respondent is refused: by the rules, or by "full_cell",
-- whose quota has no place left, or for "pause" seconds because more than "per_hour" would begin within
-- an hour. Attributes never get here, nor do answers to screening questions: if they refuse the
-- respondent, "screen_out_reward" is what that pays, perhaps 0, to at most "maximum_screen_outs" respondents, and
-- "paid" is what was paid, now or before. Whoever was paid is refused from then on.
--
-- "is_low" says that the campaign's allotment of the company's balance is to be topped up.
--
-- Each step of a participation changes it with its transfers, the campaign's counters and the log,
-- or nothing. A step locks the participation first, if there is one, then the campaign, then its
-- counters; an update of the campaign locks these two in the same order. A reversal locks the tally
-- of the company before the campaign. Whoever begins or expires has the campaign first, and passes
-- over participations that others have locked.
--
-- Whoever begins waits for the campaign's lock first, so nobody begins after a stop, and a
-- respondent who begins twice at once finds the first participation.
CREATE OR REPLACE FUNCTION begin_participation(
  company uuid, campaign_of bigint, participation uuid, agent text, who bytea,
  known_rules integer, own_cells smallint[], is_screened_out boolean, audience jsonb,
  per_hour integer, screen_out_reward numeric, maximum_screen_outs integer, caller text,
  OUT id uuid, OUT expired integer, OUT other_rules integer, OUT is_refused boolean,
  OUT full_cell smallint, OUT refused_by text,
  OUT pause integer, OUT paid numeric, OUT is_paid_now boolean, OUT is_low boolean
) LANGUAGE plpgsql AS $$
DECLARE
  -- How long a respondent has, unless the campaign says otherwise.
  default_answer_minutes CONSTANT integer := 60;
  c campaign%ROWTYPE;
  -- The time as it is stored: never later than the clock.
  moment timestamptz(3);
  is_free boolean;
  place_state text;
BEGIN
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  expired := 0;
  SELECT p.participation_id, p.state, p.held INTO id, place_state, paid FROM participation AS p
  WHERE p.respondent = who AND p.company_id = company AND p.campaign_id = campaign_of;
  IF FOUND THEN
    IF place_state = 'screened_out' THEN
      id := NULL;
      other_rules := nullif(coalesce(c.targeting_version, 0), coalesce(known_rules, 0));
      is_refused := true;
    END IF;
    RETURN;
  END IF;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF c.due_at <= moment THEN
    RETURN;
  END IF;
  IF NOT c.is_live THEN
    IF c.status = 'completed' THEN
      RAISE EXCEPTION 'a completed campaign violates constraint "participation_campaign_open"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'participation_campaign_open';
    END IF;
    RAISE EXCEPTION 'a stopped campaign violates constraint "participation_campaign_live"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'participation_campaign_live';
  END IF;
  IF c.targeting_version IS DISTINCT FROM known_rules THEN
    other_rules := coalesce(c.targeting_version, 0);
    RETURN;
  END IF;
  IF is_screened_out THEN
    is_refused := true;
    RETURN;
  END IF;
  IF audience IS NOT NULL THEN
    refused_by := audience_refusal(company, who, audience, moment);
    IF refused_by IS NOT NULL THEN
      is_refused := true;
      RETURN;
    END IF;
  END IF;
  IF per_hour IS NOT NULL THEN
    pause := pace_pause(company, campaign_of, per_hour, moment);
    IF pause IS NOT NULL THEN
      is_refused := true;
      RETURN;
    END IF;
  END IF;
  SELECT has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
    c.largest_reward)
  INTO is_free
  FROM campaign_progress AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF NOT FOUND THEN
    INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
    VALUES (company, campaign_of, c.max_responses, c.budget);
  ELSIF NOT is_free THEN
    expired := expire_participations(company, campaign_of);
  END IF;
  IF screen_out_reward IS NOT NULL THEN
    IF screen_out_reward > 0 THEN
      paid := screen_out(c, participation, agent, who, screen_out_reward, maximum_screen_outs,
        caller, moment);
      is_paid_now := paid IS NOT NULL;
    END IF;
    is_refused := true;
    RETURN;
  END IF;
  IF own_cells IS NOT NULL THEN
    full_cell := take_cells(company, campaign_of, own_cells);
    IF full_cell IS NOT NULL AND expired = 0 THEN
      expired := expire_participations(company, campaign_of);
      IF expired > 0 THEN
        full_cell := take_cells(company, campaign_of, own_cells);
      END IF;
    END IF;
    IF full_cell IS NOT NULL THEN
      is_refused := true;
      RETURN;
    END IF;
  END IF;
  UPDATE campaign_progress AS g SET taken = g.taken + 1, held = g.held + c.largest_reward
  WHERE g.company_id = company AND g.campaign_id = campaign_of
    AND has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
      c.largest_reward);
  IF NOT FOUND THEN
    PERFORM refuse_place(c, c.largest_reward);
  END IF;
  IF per_hour IS NOT NULL THEN
    PERFORM count_begin(company, campaign_of, moment);
  END IF;
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
    question_set_version, rewards, held, begun_at, expires_at, cells)
  VALUES (company, campaign_of, participation, agent, who, c.question_set_version, c.cohort_rewards,
    c.largest_reward, moment,
    moment + coalesce(c.answer_minutes, default_answer_minutes) * interval '1 minute', own_cells);
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  VALUES (company, campaign_of, participation, 'hold', c.largest_reward);
  id := participation;
  IF c.is_prepaid THEN
    is_low := EXISTS (
      SELECT FROM allotment_due AS d
      WHERE d.company_id = company AND d.campaign_id = campaign_of AND NOT d.is_waiting
    );
  END IF;
END $$;
