-- A spending limit as responses print it; null for none.
CREATE OR REPLACE FUNCTION spending_limit_json(amount numeric, per text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN amount IS NOT NULL THEN jsonb_build_object('amount', amount, 'per', per) END
$$;
