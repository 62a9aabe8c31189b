-- Writes the result of an attempt, unless the delivery was claimed again in the meantime, and
-- claims the next deliveries in the same transaction: see claim_deliveries. "outcome" is delivered,
-- failed, gone (the endpoint is disabled) or interrupted (the attempt does not count). "pause" is
-- the time until the next attempt; null if there is none. A delivery without one disables an endpoint
-- that has done nothing but fail for as long as "patience".
CREATE OR REPLACE FUNCTION finish_delivery(
  company uuid, endpoint text, delivery bigint, held integer, outcome text, attempt jsonb,
  pause interval, patience interval, most integer, at_once integer, lease interval
) RETURNS TABLE (
  seq bigint, claim integer, failures integer, claimed_at timestamptz,
  url text, secret bytea, previous_secret bytea,
  subject uuid, version integer, type text, actor text, changes jsonb, created_at timestamptz
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz(3);
  next_attempt timestamptz(3);
  failing timestamptz;
  disabling text;
BEGIN
  SELECT w.failing_since INTO failing FROM webhook_endpoint AS w
  WHERE w.company_id = company AND w.webhook_id = endpoint
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  moment := clock_timestamp();
  next_attempt := moment + pause;
  UPDATE webhook_delivery AS d SET
    state = CASE WHEN outcome = 'delivered' THEN 'delivered'
      WHEN pause IS NULL THEN 'failed' ELSE 'pending' END,
    due_at = CASE WHEN outcome <> 'delivered' THEN next_attempt END,
    finished_at = CASE WHEN outcome = 'delivered' OR pause IS NULL THEN moment END,
    claimed_at = NULL,
    failures = d.failures + CASE WHEN outcome IN ('failed', 'gone') THEN 1 ELSE 0 END,
    attempts = append_attempt(d.attempts, attempt)
  WHERE d.company_id = company AND d.webhook_id = endpoint AND d.seq = delivery
    AND d.claim = held AND d.claimed_at IS NOT NULL;
  IF FOUND THEN
    IF outcome = 'delivered' THEN
      IF failing IS NOT NULL THEN
        UPDATE webhook_endpoint AS w SET failing_since = NULL
        WHERE w.company_id = company AND w.webhook_id = endpoint;
      END IF;
    ELSIF outcome <> 'interrupted' THEN
      failing := coalesce(failing, moment);
      disabling := CASE WHEN outcome = 'gone' THEN 'gone'
        WHEN pause IS NULL AND failing <= moment - patience THEN 'failing' END;
      UPDATE webhook_endpoint AS w SET
        failing_since = failing,
        version = w.version + CASE WHEN w.enabled AND disabling IS NOT NULL THEN 1 ELSE 0 END,
        updated_by = CASE WHEN w.enabled AND disabling IS NOT NULL THEN 'service'
          ELSE w.updated_by END,
        updated_at = CASE WHEN w.enabled AND disabling IS NOT NULL
          THEN greatest(moment, w.updated_at) ELSE w.updated_at END,
        due_at = CASE WHEN disabling IS NULL THEN w.due_at END,
        disabled_reason = CASE WHEN w.enabled THEN disabling ELSE w.disabled_reason END,
        enabled = w.enabled AND disabling IS NULL
      WHERE w.company_id = company AND w.webhook_id = endpoint;
    END IF;
  END IF;
  RETURN QUERY SELECT * FROM claim_deliveries(company, endpoint, most, at_once, lease);
END $$;
