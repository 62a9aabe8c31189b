-- Writes the event of a new key. Test keys are part of the test environment's log.
CREATE OR REPLACE FUNCTION record_api_key_created() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  environment uuid := CASE NEW.mode
    WHEN 'test' THEN overlay(NEW.company_id::text PLACING '8' FROM 15)::uuid
    ELSE NEW.company_id END;
BEGIN
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (environment, stored_id(NEW.key_id), NEW.version, 'api_key.generated', NEW.updated_by,
    jsonb_strip_nulls(jsonb_build_object(
      'name', NEW.name, 'prefix', NEW.prefix, 'scopes', NEW.scopes,
      'expires_at', json_time(NEW.expires_at),
      'spending_limit', spending_limit_json(NEW.spending_limit, NEW.spending_per),
      'approval_above', NEW.approval_above
    )),
    NEW.created_at);
  IF NEW.spender IS NOT NULL THEN
    PERFORM set_key_limit(environment, stored_id(NEW.key_id), NEW.spender, NEW.spending_limit,
      NEW.spending_per, NEW.approval_above);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER api_key_created AFTER INSERT ON api_key
  FOR EACH ROW EXECUTE FUNCTION record_api_key_created();
