-- A settlement begins where the last one of its company and platform ends, and never changes, but for
-- being paid once.
CREATE OR REPLACE FUNCTION check_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
  paid settlement%ROWTYPE;
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT s.settlement_id, s.to_seq INTO last FROM settlement AS s
    WHERE s.company_id = NEW.company_id AND s.platform = NEW.platform
    ORDER BY s.from_seq DESC LIMIT 1;
    IF NEW.from_seq <> coalesce(last.to_seq, 0)
      OR NEW.previous_id IS DISTINCT FROM last.settlement_id THEN
      broken := 'settlement_continues';
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    paid := NEW;
    paid.paid_at := OLD.paid_at;
    paid.reference := OLD.reference;
    IF OLD.paid_at IS NOT NULL OR paid IS DISTINCT FROM OLD THEN
      broken := 'settlement_permanent';
    END IF;
  ELSE
    broken := 'settlement_permanent';
  END IF;
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a settlement violates constraint "%"', broken
      USING ERRCODE = 'restrict_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE OR REPLACE TRIGGER settlement_valid BEFORE INSERT OR UPDATE OR DELETE ON settlement
  FOR EACH ROW EXECUTE FUNCTION check_settlement();
