-- Adds money to the balance of a company, or takes some from it, once for each reference. Returns whether
-- it did, and what is available then.
CREATE OR REPLACE FUNCTION fund_balance(
  company uuid, own_reference text, own_kind text, own_amount numeric,
  OUT is_new boolean, OUT available numeric
) LANGUAGE plpgsql AS $$
DECLARE
  signed CONSTANT numeric := CASE own_kind WHEN 'refund' THEN -own_amount ELSE own_amount END;
  known record;
BEGIN
  INSERT INTO balance AS b (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  SELECT b.available INTO available FROM balance AS b WHERE b.company_id = company
  FOR NO KEY UPDATE;
  SELECT f.kind, f.amount INTO known FROM funding AS f
  WHERE f.company_id = company AND f.reference = own_reference;
  is_new := NOT FOUND;
  IF NOT is_new THEN
    IF known.kind <> own_kind OR known.amount <> own_amount THEN
      RAISE EXCEPTION 'another funding violates constraint "funding_reference_reused"'
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'funding_reference_reused';
    END IF;
    RETURN;
  END IF;
  UPDATE balance AS b SET available = b.available + signed, funded = b.funded + signed
  WHERE b.company_id = company
  RETURNING b.available INTO available;
  INSERT INTO funding (company_id, reference, kind, amount)
  VALUES (company, own_reference, own_kind, own_amount);
  PERFORM record_balance_event(company, 'balance.' || own_kind || 'ed', jsonb_build_object(
    'amount', own_amount, 'reference', own_reference, 'available', available));
  PERFORM mark_allotment_due(company, 0, true);
  IF signed > 0 THEN
    PERFORM wake_allotments(company);
  END IF;
END $$;
