-- Writes the event of a change of a key, never before the key's earlier events. The values are
-- computed first, because Citus refuses CASE in an INSERT.
CREATE OR REPLACE FUNCTION record_api_key_updated() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  environment uuid := CASE NEW.mode
    WHEN 'test' THEN overlay(NEW.company_id::text PLACING '8' FROM 15)::uuid
    ELSE NEW.company_id END;
  type text := CASE
    WHEN NEW.replaced_by IS DISTINCT FROM OLD.replaced_by THEN 'api_key.rotated'
    WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN 'api_key.revoked'
    ELSE 'api_key.updated'
  END;
  changes jsonb := field_change('name', OLD.name, NEW.name)
    || field_change('scopes', OLD.scopes, NEW.scopes)
    || field_change('expires_at', json_time(OLD.expires_at), json_time(NEW.expires_at))
    || field_change('revoked_at', json_time(OLD.revoked_at), json_time(NEW.revoked_at))
    || field_change('overlap_ends_at', json_time(OLD.overlap_ends_at), json_time(NEW.overlap_ends_at))
    || field_change('spending_limit', spending_limit_json(OLD.spending_limit, OLD.spending_per),
      spending_limit_json(NEW.spending_limit, NEW.spending_per))
    || field_change('approval_above', OLD.approval_above, NEW.approval_above);
  moment timestamptz;
BEGIN
  SELECT greatest(clock_timestamp(), max(e.created_at)) INTO moment
  FROM (
    SELECT o.created_at FROM event AS o
    WHERE o.company_id = environment AND o.subject = stored_id(NEW.key_id)
    UNION ALL
    SELECT u.created_at FROM unnumbered_event AS u
    WHERE u.company_id = environment AND u.subject = stored_id(NEW.key_id)
  ) AS e;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (environment, stored_id(NEW.key_id), NEW.version, type, NEW.updated_by, changes, moment);
  IF changes ?| ARRAY['spending_limit', 'approval_above'] THEN
    PERFORM set_key_limit(environment, stored_id(NEW.key_id), NEW.spender, NEW.spending_limit,
      NEW.spending_per, NEW.approval_above);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER api_key_updated AFTER UPDATE ON api_key
  FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION record_api_key_updated();
