-- Takes a reward back, with its bonus. It changes nothing unless the participation is submitted. A
-- dispute that waits is accepted by it. It returns the participation as it then is, but without the
-- answers, and what this call made of it: null if nothing. The moment is the one in "decided", if that
-- is given, so that whoever accepts a dispute in time is not too late here.
CREATE OR REPLACE FUNCTION reverse_participation(
  company uuid, campaign_of bigint, participation uuid, why text, caller text,
  decided timestamptz DEFAULT NULL, OUT part participation, OUT became text
) LANGUAGE plpgsql AS $$
DECLARE
  c campaign%ROWTYPE;
  progress campaign_progress%ROWTYPE;
  moment timestamptz(3);
  logged timestamptz;
  own_cells smallint[];
  paid numeric;
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  part.answers := NULL;
  own_cells := part.cells;
  IF (part.state = 'submitted') IS NOT TRUE THEN
    RETURN;
  END IF;
  -- Not before its submission, even if the clock was set back.
  moment := greatest(
    coalesce(decided, date_trunc('milliseconds', clock_timestamp())), part.closed_at);
  -- Waits for the tally before it locks the campaign, which respondents need meanwhile.
  PERFORM recount_responses(company, ARRAY[campaign_of], ARRAY[participation], true);
  UPDATE participation AS o SET state = 'reversed', reversed_at = moment, reversal_reason = why
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  RETURNING o.* INTO part;
  part.answers := NULL;
  PERFORM recount_responses(company, ARRAY[campaign_of], ARRAY[participation], false);
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  paid := part.reward + coalesce(part.bonus, 0);
  IF paid > 0 THEN
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
    VALUES (company, campaign_of, participation, 'reverse', paid);
  END IF;
  PERFORM close_dispute(c, part, 'accepted', NULL, caller, moment);
  logged := greatest(clock_timestamp(), moment, c.updated_at + interval '1 microsecond');
  UPDATE campaign_progress AS g
  SET spent = g.spent - paid, bonus_spent = g.bonus_spent - coalesce(part.bonus, 0),
    reversed = g.reversed + 1,
    logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
  RETURNING * INTO progress;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, next_response_version(part), 'response.reversed', caller,
    jsonb_strip_nulls(jsonb_build_object('post_id', c.post_id, 'cohort', part.cohort,
      'reward', part.reward, 'bonus', part.bonus, 'reason', why, 'answered', progress.answered,
      'spent', progress.spent, 'held', progress.held)),
    progress.logged_at);
  IF own_cells IS NOT NULL THEN
    -- The participation still has their numbers, which must not become those of other quotas.
    UPDATE quota_cell AS q SET kept = true
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = ANY (own_cells)
      AND NOT q.kept;
    PERFORM leave_cells(company, campaign_of, own_cells,
      array_fill(0, ARRAY[cardinality(own_cells)]), array_fill(1, ARRAY[cardinality(own_cells)]));
  END IF;
  IF c.max_responses IS NOT NULL OR c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  became := 'reversed';
END $$;
