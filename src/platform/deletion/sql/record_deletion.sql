-- Notes that something was deleted, whose rows in another table are removed afterwards: it can have
-- millions. The argument is the column of its identifier. Whoever deletes a guardrail has locked the
-- company's guardrail_position, so that nothing is remembered for it any more.
CREATE OR REPLACE FUNCTION record_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deletion (company_id, id) VALUES (OLD.company_id, to_jsonb(OLD) ->> TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhook_endpoint_deleted AFTER DELETE ON webhook_endpoint
  FOR EACH ROW EXECUTE FUNCTION record_deletion('webhook_id');

CREATE OR REPLACE TRIGGER guardrail_deleted AFTER DELETE ON guardrail
  FOR EACH ROW EXECUTE FUNCTION record_deletion('guardrail_id');
