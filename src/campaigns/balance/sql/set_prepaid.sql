-- Decides whether the campaigns of a company pay with its balance. Those that are live begin or cease to
-- do so when the service looks at them, others when they start.
CREATE OR REPLACE FUNCTION set_prepaid(company uuid, prepaid boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balance AS b (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  UPDATE balance AS b SET is_prepaid = prepaid
  WHERE b.company_id = company AND b.is_prepaid <> prepaid;
  IF FOUND THEN
    PERFORM mark_allotment_due(company, 0, true);
  END IF;
END $$;
