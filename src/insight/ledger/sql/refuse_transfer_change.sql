-- A transfer is never changed, and only carry_transfers removes one.
CREATE OR REPLACE FUNCTION refuse_transfer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('ledger.carries', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'a transfer is never changed or deleted: constraint "transfer_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'transfer_permanent';
END $$;

CREATE OR REPLACE TRIGGER transfer_permanent BEFORE DELETE OR UPDATE ON transfer
  FOR EACH ROW EXECUTE FUNCTION refuse_transfer_change();
