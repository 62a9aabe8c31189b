-- What was funded or refunded is never changed or deleted.
CREATE OR REPLACE FUNCTION refuse_funding_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a funding is never changed or deleted: constraint "funding_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'funding_permanent';
END $$;

CREATE OR REPLACE TRIGGER funding_permanent BEFORE DELETE OR UPDATE ON funding
  FOR EACH ROW EXECUTE FUNCTION refuse_funding_change();
