-- Pays the respondent of a submitted participation a bonus, within the budget of the campaign. A
-- reference that was used returns what it paid then. "refusal" says why nothing is paid; it is null
-- otherwise. "maximum" is the most that this participation can be paid.
--
-- Like each step of a participation, it locks the participation first, then the campaign, then its
-- counters.
CREATE OR REPLACE FUNCTION pay_bonus(
  company uuid, participation uuid, granted numeric, ref text, caller text,
  OUT refusal text, OUT post text, OUT paid uuid, OUT amount numeric, OUT paid_at timestamptz,
  OUT state text, OUT maximum numeric
) LANGUAGE plpgsql AS $$
DECLARE
  -- BONUS_DAYS and BONUS_FACTOR in bonus.types.ts.
  bonus_days CONSTANT integer := 90;
  bonus_factor CONSTANT integer := 10;
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  progress campaign_progress%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.participation_id = participation
  FOR NO KEY UPDATE;
  IF part.participation_id IS NULL THEN
    refusal := 'unknown';
    RETURN;
  END IF;
  SELECT b.participation_id, b.paid_at, p.bonus, g.post_id INTO paid, paid_at, amount, post
  FROM bonus AS b
  JOIN participation AS p ON p.company_id = company AND p.campaign_id = b.campaign_id
    AND p.participation_id = b.participation_id
  JOIN campaign AS g ON g.company_id = company AND g.id = b.campaign_id
  WHERE b.company_id = company AND b.bonus_ref = ref;
  IF FOUND THEN
    refusal := CASE WHEN paid <> participation OR amount <> granted THEN 'ref_taken' END;
    RETURN;
  END IF;
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = part.campaign_id
  FOR NO KEY UPDATE;
  moment := greatest(date_trunc('milliseconds', clock_timestamp()), part.closed_at);
  state := part.state;
  maximum := bonus_factor * part.held;
  refusal := CASE
    WHEN part.state <> 'submitted' THEN 'not_submitted'
    WHEN part.respondent IS NULL THEN 'erased'
    WHEN part.bonus IS NOT NULL THEN 'already_paid'
    WHEN part.closed_at + bonus_days * interval '24 hours' < moment THEN 'too_old'
    WHEN granted > maximum THEN 'too_large'
  END;
  IF refusal IS NOT NULL THEN
    RETURN;
  END IF;
  IF EXISTS (
    SELECT FROM campaign_progress AS g
    WHERE g.company_id = company AND g.campaign_id = c.id AND g.held + g.spent + granted > g.budget
  ) THEN
    PERFORM expire_participations(company, c.id);
  END IF;
  PERFORM charge_bonus(c, granted, caller);
  PERFORM allot_bonus(c, granted);
  -- It violates campaign_progress_within_budget if the rest of the budget does not cover the bonus.
  UPDATE campaign_progress AS g SET spent = g.spent + granted, bonus_spent = g.bonus_spent + granted
  WHERE g.company_id = company AND g.campaign_id = c.id
  RETURNING * INTO progress;
  PERFORM record_response_event(c, part, 'response.bonus_paid', caller,
    jsonb_build_object('cohort', part.cohort, 'bonus', granted, 'bonus_ref', ref,
      'answered', progress.answered, 'spent', progress.spent, 'held', progress.held));
  UPDATE participation AS o SET bonus = granted
  WHERE o.company_id = company AND o.campaign_id = c.id AND o.participation_id = participation;
  INSERT INTO bonus (company_id, bonus_ref, campaign_id, participation_id, paid_at)
  VALUES (company, ref, c.id, participation, moment);
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  VALUES (company, c.id, participation, 'bonus', granted);
  -- Expired places may have changed it.
  SELECT * INTO c FROM campaign AS o WHERE o.company_id = company AND o.id = part.campaign_id;
  IF c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  post := c.post_id;
  paid := participation;
  amount := granted;
  paid_at := moment;
END $$;
