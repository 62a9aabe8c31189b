-- Charges what a change of a campaign adds to its commitment to the key that makes the change, and gives
-- back what it takes away, to the latest charges first. "before" is null for a new campaign. Before
-- that, what responses have made of the commitment since its last change is given back, or charged to
-- nobody. The caller has locked the campaign.
--
-- A key over its limit is refused: the constraint of key_spending holds it, whatever happens at the same
-- time, and this function says in the detail what is left.
--
-- Locks are taken in one order: the campaign, the limits, what is committed.
CREATE OR REPLACE FUNCTION charge_campaign(before campaign, after campaign, actor text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := after.company_id;
  campaign_of CONSTANT bigint := after.id;
  own key_limit%ROWTYPE;
  acting uuid;
  spenders uuid[];
  today date;
  charged numeric;
  was numeric;
  becomes numeric;
  surplus numeric;
  part numeric;
  last integer;
  current_period text;
  periods text[];
  period_of text;
  charge record;
  stopped campaign%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT FROM key_limit AS l WHERE l.company_id = company) THEN
    RETURN;
  END IF;
  acting := stored_id(actor);
  SELECT l.spender INTO acting FROM key_limit AS l
  WHERE l.company_id = company AND l.key_id = acting;
  SELECT sum(c.amount), max(c.number), array_agg(DISTINCT c.spender)
  INTO charged, last, spenders FROM campaign_charge AS c
  WHERE c.company_id = company AND c.campaign_id = campaign_of;
  IF acting IS NULL AND charged IS NULL THEN
    RETURN;
  END IF;
  PERFORM FROM key_limit AS l
  WHERE l.company_id = company AND l.spender = ANY (spenders || acting)
  ORDER BY l.spender, l.key_id FOR SHARE;
  SELECT * INTO own FROM key_limit AS l
  WHERE l.company_id = company AND l.key_id = stored_id(actor);
  today := utc_day();

  becomes := campaign_commitment(after);
  IF becomes IS NULL THEN
    IF own.amount IS NOT NULL THEN
      RAISE EXCEPTION 'a cost without limits violates constraint "campaign_cost_bounded"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_cost_bounded';
    END IF;
    IF own.approval_above IS NOT NULL THEN
      PERFORM require_approval(after, actor, own.approval_above, NULL);
    END IF;
    RETURN;
  END IF;
  was := CASE WHEN before.id IS NULL THEN 0 ELSE campaign_commitment(before) END;
  IF was IS NULL THEN
    -- Nothing limited it. Limits alone make it cost less; with them, whoever makes it pay somebody more is
    -- charged all that is still to come.
    stopped := before;
    stopped.is_live := false;
    stopped.due_at := NULL;
    was := CASE WHEN is_dearer(before, after) THEN campaign_commitment(stopped) ELSE becomes END;
  END IF;
  IF becomes > greatest(was, own.approval_above) AND own.approval_above IS NOT NULL THEN
    PERFORM require_approval(after, actor, own.approval_above, becomes);
  END IF;

  periods := ARRAY[spending_period('day', today), spending_period('month', today),
    spending_period('total', today)];
  current_period := spending_period(own.per, today);
  IF current_period IS NOT NULL THEN
    INSERT INTO key_spending (company_id, spender, period, committed, ceiling)
    VALUES (company, acting, current_period, 0, own.amount)
    ON CONFLICT (company_id, spender, period) DO NOTHING;
  END IF;
  PERFORM FROM key_spending AS s
  WHERE s.company_id = company AND s.spender = ANY (spenders || acting)
    AND s.period = ANY (periods)
  ORDER BY s.spender, s.period FOR NO KEY UPDATE;

  last := coalesce(last, 0);
  surplus := coalesce(charged, 0) - was;
  IF surplus < 0 THEN
    last := last + 1;
    INSERT INTO campaign_charge (company_id, campaign_id, number, day, amount)
    VALUES (company, campaign_of, last, today, -surplus);
  END IF;
  surplus := greatest(surplus, 0) + greatest(was - becomes, 0);
  FOR charge IN
    SELECT c.number, c.spender, c.day, c.amount FROM campaign_charge AS c
    WHERE c.company_id = company AND c.campaign_id = campaign_of
    ORDER BY c.number DESC
  LOOP
    EXIT WHEN surplus = 0;
    part := least(surplus, charge.amount);
    surplus := surplus - part;
    IF part = charge.amount THEN
      DELETE FROM campaign_charge AS c
      WHERE c.company_id = company AND c.campaign_id = campaign_of AND c.number = charge.number;
    ELSE
      UPDATE campaign_charge AS c SET amount = c.amount - part
      WHERE c.company_id = company AND c.campaign_id = campaign_of AND c.number = charge.number;
    END IF;
    -- Only the current period is kept up to date.
    SELECT l.per INTO period_of FROM key_limit AS l
    WHERE l.company_id = company AND l.spender = charge.spender LIMIT 1;
    IF charge.day >= spending_starts(period_of, today) THEN
      current_period := spending_period(period_of, today);
      UPDATE key_spending AS s SET committed = s.committed - part
      WHERE s.company_id = company AND s.spender = charge.spender AND s.period = current_period;
    END IF;
  END LOOP;
  IF becomes <= was THEN
    RETURN;
  END IF;

  PERFORM charge_key(after, own, acting, becomes - was);
END $$;
