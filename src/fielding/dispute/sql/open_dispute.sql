-- Disputes a submitted participation, within the days and the share that its campaign states. A
-- participation that is disputed keeps its dispute. "refusal" says why there is none; it is null
-- otherwise. The share of the responses is rounded down, and counts each dispute ever opened.
--
-- Like each step of a participation, it locks the participation first, then the campaign, then its
-- counters, so that those who dispute at once are counted one after the other.
CREATE OR REPLACE FUNCTION open_dispute(
  company uuid, participation uuid, why text, caller text,
  OUT refusal text, OUT post text, OUT state text, OUT disputed dispute
) LANGUAGE plpgsql AS $$
DECLARE
  -- How long a platform has to decide.
  decision_days CONSTANT integer := 14;
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.participation_id = participation
  FOR NO KEY UPDATE;
  IF part.participation_id IS NULL THEN
    refusal := 'unknown';
    RETURN;
  END IF;
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = part.campaign_id
  FOR NO KEY UPDATE;
  post := c.post_id;
  state := part.state;
  SELECT * INTO disputed FROM dispute AS d
  WHERE d.company_id = company AND d.participation_id = participation;
  IF FOUND THEN
    refusal := CASE WHEN disputed.reason <> why THEN 'exists' END;
    RETURN;
  END IF;
  moment := greatest(date_trunc('milliseconds', clock_timestamp()), part.closed_at);
  refusal := CASE
    WHEN part.state <> 'submitted' THEN 'not_submitted'
    WHEN part.respondent IS NULL THEN 'erased'
    WHEN (c.review_days > 0 AND c.maximum_dispute_share > 0) IS NOT TRUE THEN 'not_offered'
    WHEN part.closed_at + c.review_days * interval '24 hours' < moment THEN 'too_old'
  END;
  IF refusal IS NOT NULL THEN
    RETURN;
  END IF;
  UPDATE campaign_progress AS g SET disputed = g.disputed + 1
  WHERE g.company_id = company AND g.campaign_id = part.campaign_id
    AND g.disputed < floor(c.maximum_dispute_share * g.answered);
  IF NOT FOUND THEN
    refusal := 'share_reached';
    RETURN;
  END IF;
  PERFORM record_response_event(c, part, 'dispute.opened', caller,
    jsonb_build_object('reason', why));
  INSERT INTO dispute (company_id, campaign_id, participation_id, platform, reason, opened_at,
    lapses_at)
  VALUES (company, part.campaign_id, participation, part.platform, why, moment,
    moment + decision_days * interval '24 hours')
  RETURNING * INTO disputed;
END $$;
