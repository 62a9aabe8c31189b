-- Writes an event of a company's balance. Its subject is the company, also for its test data. The caller
-- has locked the balance.
CREATE OR REPLACE FUNCTION record_balance_event(company uuid, event text, changes jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  b record;
BEGIN
  UPDATE balance AS o SET version = o.version + 1,
    logged_at = greatest(moment,
      (o.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE o.company_id = company
  RETURNING o.version, o.logged_at INTO b;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, overlay(company::text PLACING '7' FROM 15 FOR 1)::uuid, b.version, event,
    'service', changes, b.logged_at);
END $$;
