-- Ends unfinished deliveries of the endpoints of a company that have been disabled since before
-- "abandoned", at most "most" of them, as failed when they were disabled, and returns how many. What
-- an endpoint has missed begins with the first of them; it can have received some of what follows.
-- The order of the locks is that of numbering, which updates the endpoints in any order.
CREATE OR REPLACE FUNCTION give_up_deliveries(company uuid, abandoned timestamptz, most integer)
RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  endpoint record;
  ended integer;
  first bigint;
  total integer := 0;
BEGIN
  PERFORM 1 FROM event_sequence AS s WHERE s.company_id = company FOR UPDATE;
  FOR endpoint IN
    SELECT w.webhook_id, w.updated_at, w.claimed_seq, w.missed_from_seq, w.missed_to_seq
    FROM webhook_endpoint AS w
    WHERE w.company_id = company AND NOT w.enabled AND w.updated_at < abandoned
    ORDER BY w.webhook_id FOR UPDATE
  LOOP
    WITH given_up AS (
      UPDATE webhook_delivery AS d
      SET state = 'failed', due_at = NULL, claimed_at = NULL, finished_at = endpoint.updated_at
      WHERE d.company_id = company AND d.webhook_id = endpoint.webhook_id AND d.due_at IS NOT NULL
        AND d.ctid = ANY (ARRAY(
          SELECT o.ctid FROM webhook_delivery AS o
          WHERE o.company_id = company AND o.webhook_id = endpoint.webhook_id
            AND o.due_at IS NOT NULL
          LIMIT most - total
        ))
      RETURNING d.seq
    )
    SELECT count(*), min(g.seq) INTO ended, first FROM given_up AS g;
    CONTINUE WHEN ended = 0;
    total := total + ended;
    UPDATE webhook_endpoint AS w
    SET missed_to_seq = endpoint.claimed_seq,
      missed_from_seq = CASE WHEN endpoint.missed_to_seq = endpoint.claimed_seq
        THEN least(endpoint.missed_from_seq, first) ELSE first END
    WHERE w.company_id = company AND w.webhook_id = endpoint.webhook_id;
  END LOOP;
  RETURN total;
END $$;
