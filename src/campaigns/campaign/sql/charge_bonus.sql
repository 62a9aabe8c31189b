-- Charges a bonus to the key that pays it, if that key has a limit. The next change of the campaign gives
-- back what its commitment had room for: see charge_campaign, which takes the same locks in the same
-- order. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION charge_bonus(c campaign, granted numeric, actor text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own key_limit%ROWTYPE;
  current_period text;
BEGIN
  SELECT * INTO own FROM key_limit AS l
  WHERE l.company_id = c.company_id AND l.key_id = stored_id(actor)
  FOR SHARE;
  IF own.amount IS NULL THEN
    RETURN;
  END IF;
  current_period := spending_period(own.per, utc_day());
  INSERT INTO key_spending (company_id, spender, period, committed, ceiling)
  VALUES (c.company_id, own.spender, current_period, 0, own.amount)
  ON CONFLICT (company_id, spender, period) DO NOTHING;
  PERFORM FROM key_spending AS s
  WHERE s.company_id = c.company_id AND s.spender = own.spender AND s.period = current_period
  FOR NO KEY UPDATE;
  PERFORM charge_key(c, own, own.spender, granted);
END $$;
