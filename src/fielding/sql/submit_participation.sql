-- Pays for a submission, by the cohort of its score, and frees the rest of what was held. It changes
-- nothing if the participation is not open any more. It returns the participation as it then is.
CREATE OR REPLACE FUNCTION submit_participation(
  company text, campaign_of bigint, participation text, score numeric, attention_cohort integer,
  content bytea, answers jsonb, caller text
) RETURNS participation LANGUAGE plpgsql AS $$
DECLARE
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  progress campaign_progress%ROWTYPE;
  moment timestamptz(3);
  earned numeric(12, 2);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF part.participation_id IS NULL OR part.state <> 'open' OR part.expires_at <= moment THEN
    RETURN part;
  END IF;
  earned := part.rewards[attention_cohort];
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  UPDATE participation AS o SET state = 'submitted', closed_at = moment, attention_score = score,
    cohort = attention_cohort, reward = earned, submission = content
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  RETURNING o.* INTO part;
  INSERT INTO response (company_id, campaign_id, participation_id, answers)
  VALUES (company, campaign_of, participation, answers);
  IF earned > 0 THEN
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, debit, credit, amount)
    VALUES (company, campaign_of, participation, 'settle', 'held', 'respondents', earned);
  END IF;
  IF part.held > earned THEN
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, debit, credit, amount)
    VALUES (company, campaign_of, participation, 'release', 'held', 'company', part.held - earned);
  END IF;
  UPDATE campaign_progress AS g
  SET answered = g.answered + 1, held = g.held - part.held, spent = g.spent + earned
  WHERE g.company_id = company AND g.campaign_id = campaign_of
  RETURNING * INTO progress;
  INSERT INTO event (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, 1, 'response.submitted', caller,
    jsonb_build_object('post_id', c.post_id, 'cohort', attention_cohort, 'reward', earned,
      'answered', progress.answered, 'spent', progress.spent, 'held', progress.held),
    moment);
  IF c.max_responses IS NOT NULL OR c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  RETURN part;
END $$;
