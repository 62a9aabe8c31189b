-- A transfer is never changed or deleted.
CREATE OR REPLACE FUNCTION refuse_transfer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a transfer is never changed or deleted: constraint "transfer_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'transfer_permanent';
END $$;

CREATE OR REPLACE TRIGGER transfer_permanent BEFORE UPDATE OR DELETE ON transfer
  FOR EACH ROW EXECUTE FUNCTION refuse_transfer_change();
