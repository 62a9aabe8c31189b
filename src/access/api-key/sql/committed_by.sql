-- What a spender has committed in the current period of its limit, and when the next one begins.
CREATE OR REPLACE FUNCTION committed_by(
  company uuid, spender_of uuid, per text, OUT committed numeric, OUT resets_at timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  today date := utc_day();
  current_period text := spending_period(per, today);
BEGIN
  SELECT s.committed INTO committed FROM key_spending AS s
  WHERE s.company_id = company AND s.spender = spender_of AND s.period = current_period;
  committed := coalesce(committed, 0);
  resets_at := spending_resets(per, today);
END $$;
