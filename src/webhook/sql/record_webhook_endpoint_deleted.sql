-- Notes the end of an endpoint, whose deliveries are removed afterwards: it can have millions.
CREATE OR REPLACE FUNCTION record_webhook_endpoint_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_webhook (company_id, webhook_id, deleted_at)
  VALUES (OLD.company_id, OLD.webhook_id, clock_timestamp());
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhook_endpoint_deleted AFTER DELETE ON webhook_endpoint
  FOR EACH ROW EXECUTE FUNCTION record_webhook_endpoint_deleted();
