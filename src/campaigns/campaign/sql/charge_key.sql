-- Charges a part of what a campaign can cost to "acting", the spender of the key with the limit "own", or
-- null for whoever has none. The caller has locked the campaign, the limits and the period's row of
-- key_spending, whose constraint refuses what is over the limit; the detail says what is left.
CREATE OR REPLACE FUNCTION charge_key(c campaign, own key_limit, acting uuid, part numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today CONSTANT date := utc_day();
  current_period CONSTANT text := spending_period(own.per, today);
  known numeric;
  last integer;
BEGIN
  IF own.amount IS NOT NULL THEN
    SELECT s.committed INTO known FROM key_spending AS s
    WHERE s.company_id = c.company_id AND s.spender = acting AND s.period = current_period;
    IF known + part > own.amount THEN
      RAISE EXCEPTION 'a commitment violates constraint "key_spending_within_limit"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'key_spending_within_limit',
          DETAIL = jsonb_build_object('limit', own.amount, 'per', own.per,
            'left', greatest(0, own.amount - known), 'required', part,
            'currency', c.currency, 'resets_at', json_time(spending_resets(own.per, today)));
    END IF;
    UPDATE key_spending AS s SET committed = known + part, ceiling = own.amount
    WHERE s.company_id = c.company_id AND s.spender = acting AND s.period = current_period;
  END IF;
  SELECT coalesce(max(o.number), 0) INTO last FROM campaign_charge AS o
  WHERE o.company_id = c.company_id AND o.campaign_id = c.id;
  UPDATE campaign_charge AS o SET amount = o.amount + part
  WHERE o.company_id = c.company_id AND o.campaign_id = c.id AND o.number = last
    AND o.day = today AND o.spender IS NOT DISTINCT FROM acting;
  IF NOT FOUND THEN
    INSERT INTO campaign_charge (company_id, campaign_id, number, spender, day, amount)
    VALUES (c.company_id, c.id, last + 1, acting, today, part);
  END IF;
END $$;
