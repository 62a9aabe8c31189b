-- Writes the event of a test or of the end of an endpoint.
CREATE OR REPLACE FUNCTION record_webhook_endpoint_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.tests <> OLD.tests THEN
    PERFORM record_event(NEW.company_id, NEW.webhook_id, NEW.version, 'webhook.tested',
      NEW.updated_by, '{}', NEW.updated_at);
  ELSIF OLD.enabled AND NOT NEW.enabled THEN
    PERFORM record_event(NEW.company_id, NEW.webhook_id, NEW.version, 'webhook.disabled',
      NEW.updated_by,
      field_change('enabled', OLD.enabled, NEW.enabled)
        || field_change('disabled_reason', OLD.disabled_reason, NEW.disabled_reason),
      NEW.updated_at);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhook_endpoint_updated AFTER UPDATE ON webhook_endpoint
  FOR EACH ROW WHEN (NEW.version <> OLD.version)
  EXECUTE FUNCTION record_webhook_endpoint_updated();
