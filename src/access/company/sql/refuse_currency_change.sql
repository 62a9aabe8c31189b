-- The currency of a company and of its campaigns never changes: amounts that are stored would
-- become other amounts.
CREATE OR REPLACE FUNCTION refuse_currency_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a currency never changes: constraint "currency_fixed"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'currency_fixed';
END $$;

CREATE OR REPLACE TRIGGER company_currency_fixed BEFORE UPDATE OF currency ON company
  FOR EACH ROW WHEN (NEW.currency IS DISTINCT FROM OLD.currency)
  EXECUTE FUNCTION refuse_currency_change();

CREATE OR REPLACE TRIGGER campaign_currency_fixed BEFORE UPDATE OF currency ON campaign
  FOR EACH ROW WHEN (NEW.currency IS DISTINCT FROM OLD.currency)
  EXECUTE FUNCTION refuse_currency_change();
