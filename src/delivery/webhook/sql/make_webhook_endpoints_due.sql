-- New events give a company's endpoints work, in the transaction that numbers the events. It updates
-- every endpoint, whatever it sees of it, and so waits for whoever claims, enables or replays one: a
-- claim either reads the new numbers or is followed by another. The creation of an endpoint, which
-- is not visible here, locks the company's row of event_sequence instead.
CREATE OR REPLACE FUNCTION make_webhook_endpoints_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  UPDATE webhook_endpoint AS w
  SET due_at = CASE WHEN w.enabled THEN least(w.due_at, moment) END
  WHERE w.company_id = NEW.company_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event_sequence_advanced AFTER UPDATE ON event_sequence
  FOR EACH ROW WHEN (NEW.last_seq > OLD.last_seq)
  EXECUTE FUNCTION make_webhook_endpoints_due();
