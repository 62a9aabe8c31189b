-- Records what a settlement was paid with, once, and returns what it is paid with: another reference if
-- it was paid before. It is null if there is no such settlement.
CREATE OR REPLACE FUNCTION pay_settlement(company uuid, id uuid, given text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  -- A cluster refuses an update with the clock.
  moment timestamptz(3);
  paid text;
BEGIN
  PERFORM 1 FROM settlement AS s
  WHERE s.company_id = company AND s.settlement_id = id FOR UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  UPDATE settlement AS s SET paid_at = moment, reference = given
  WHERE s.company_id = company AND s.settlement_id = id AND s.paid_at IS NULL;
  SELECT s.reference INTO paid FROM settlement AS s
  WHERE s.company_id = company AND s.settlement_id = id;
  RETURN paid;
END $$;
