-- Sets the most that a key may commit, and from what it needs an approval, null for no limit. It counts what its spender has committed in
-- the current period. It waits for the launches that count against the earlier limit.
CREATE OR REPLACE FUNCTION set_key_limit(
  company uuid, key uuid, spender_of uuid, new_amount numeric, new_per text,
  new_above numeric
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := utc_day();
  current_period text := spending_period(new_per, today);
  first date := spending_starts(new_per, today);
  total numeric;
  most numeric;
BEGIN
  PERFORM FROM key_limit AS l WHERE l.company_id = company AND l.spender = spender_of
  ORDER BY l.key_id FOR UPDATE;
  INSERT INTO key_limit (company_id, key_id, spender, amount, per, approval_above)
  VALUES (company, key, spender_of, new_amount, new_per, new_above)
  ON CONFLICT (company_id, key_id) DO UPDATE
  SET amount = excluded.amount, per = excluded.per, approval_above = excluded.approval_above;
  IF new_amount IS NULL THEN
    RETURN;
  END IF;
  SELECT coalesce(sum(c.amount), 0) INTO total FROM campaign_charge AS c
  WHERE c.company_id = company AND c.spender = spender_of AND c.day >= first;
  most := greatest(new_amount, total);
  INSERT INTO key_spending (company_id, spender, period, committed, ceiling)
  VALUES (company, spender_of, current_period, total, most)
  ON CONFLICT (company_id, spender, period) DO UPDATE
  SET committed = excluded.committed, ceiling = excluded.ceiling;
END $$;
