-- The lines of a settlement have the positions 1 to the number of its campaigns, and never change.
CREATE OR REPLACE FUNCTION check_settlement_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.position BETWEEN 1 AND (
    SELECT s.campaigns FROM settlement AS s
    WHERE s.company_id = NEW.company_id AND s.settlement_id = NEW.settlement_id
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a settlement is never changed: constraint "settlement_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'settlement_permanent',
      TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER settlement_line_valid BEFORE INSERT OR UPDATE OR DELETE
  ON settlement_line FOR EACH ROW EXECUTE FUNCTION check_settlement_line();
