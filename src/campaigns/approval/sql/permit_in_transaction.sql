-- Ties what is approved to the transaction that approves it: no other one may rely on it. On a cluster, this
-- is the transaction of the node that has the rows of the company. It is forgotten before the end, because
-- a restored database numbers its transactions anew.
CREATE OR REPLACE FUNCTION permit_in_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.run_in := pg_current_xact_id();
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER approval_permits BEFORE INSERT OR UPDATE OF state ON approval
  FOR EACH ROW WHEN (NEW.state = 'approved') EXECUTE FUNCTION permit_in_transaction();
