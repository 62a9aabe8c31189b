-- Claims up to "most" deliveries of an endpoint: first those whose next attempt is due, then the
-- next events of the log. It returns them with their endpoint and event; no row if there is nothing
-- to do. "at_once" is how many attempts may run at once; an endpoint that fails gets one at a time.
-- A claim that ends later than any lease does was made before the clock went back: it is over.
-- Times and JSON are computed before an UPDATE, because Citus refuses to compute them from its
-- columns. Every function locks the endpoint first, so that none waits for a row whose holder waits
-- for another. The settings keep the plans independent of statistics: an index finds each row by its
-- whole key.
CREATE OR REPLACE FUNCTION claim_deliveries(
  company uuid, endpoint text, most integer, at_once integer, lease interval
) RETURNS TABLE (
  seq bigint, claim integer, failures integer, claimed_at timestamptz,
  url text, secret bytea, previous_secret bytea,
  subject uuid, version integer, type text, actor text, changes jsonb, created_at timestamptz
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  -- Events whose numbers one claim looks at, whatever the endpoint's types leave out of them.
  scan_maximum CONSTANT integer := 10000;
  -- Unfinished deliveries that an endpoint may have. Further events wait in the log.
  queue_maximum CONSTANT integer := 10000;
  -- Longer than any lease: WEBHOOK_TIMEOUT_SECONDS is at most 60.
  lease_maximum CONSTANT interval := interval '2 minutes';
  moment timestamptz(3);
  read_to bigint;
  last bigint;
  types text[];
  failing boolean;
  -- The endpoint as the subject of its tests.
  tested uuid := stored_id(endpoint);
  room integer;
  unfinished integer;
  claimed bigint[] := ARRAY[]::bigint[];
  found_events bigint[];
  before integer;
  next_look timestamptz;
  lease_end timestamptz(3);
  interrupted jsonb;
BEGIN
  SELECT w.claimed_seq, w.event_types, w.failing_since IS NOT NULL INTO read_to, types, failing
  FROM webhook_endpoint AS w
  WHERE w.company_id = company AND w.webhook_id = endpoint AND w.enabled
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  moment := clock_timestamp();
  lease_end := moment + lease;
  SELECT CASE WHEN failing THEN 1 ELSE at_once END - count(*)::integer INTO room
  FROM webhook_delivery AS d
  WHERE d.company_id = company AND d.webhook_id = endpoint AND d.claimed_at IS NOT NULL
    AND d.due_at > moment AND d.due_at <= moment + lease_maximum;
  most := least(most, room);

  IF most > 0 THEN
    SELECT coalesce(array_agg(p.seq), '{}'),
      jsonb_object_agg(p.seq, jsonb_build_object(
        'at', p.claimed_at, 'status', NULL, 'duration_ms', NULL, 'error', 'interrupted'
      ))
    INTO claimed, interrupted
    FROM (
      SELECT d.seq, d.claimed_at FROM webhook_delivery AS d
      WHERE d.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL
        AND (d.due_at <= moment OR d.claimed_at IS NOT NULL AND d.due_at > moment + lease_maximum)
      ORDER BY d.due_at LIMIT most
    ) AS p;
    IF cardinality(claimed) > 0 THEN
      UPDATE webhook_delivery AS d SET
        due_at = lease_end, claimed_at = moment, claim = d.claim + 1,
        attempts = CASE WHEN d.claimed_at IS NULL THEN d.attempts
          ELSE append_attempt(d.attempts, interrupted -> d.seq::text) END
      FROM unnest(claimed) AS n
      WHERE d.company_id = company AND d.webhook_id = endpoint AND d.seq = n;
    END IF;
    most := most - cardinality(claimed);
    room := room - cardinality(claimed);
  END IF;

  SELECT s.last_seq INTO last FROM event_sequence AS s WHERE s.company_id = company;
  IF room > 0 AND read_to < last THEN
    SELECT count(*)::integer INTO unfinished FROM (
      SELECT 1 FROM webhook_delivery AS d
      WHERE d.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL
      LIMIT queue_maximum
    ) AS q;
    IF unfinished < queue_maximum AND most > 0 THEN
      SELECT coalesce(array_agg(e.seq ORDER BY e.seq), '{}') INTO found_events FROM (
        SELECT o.seq FROM event AS o
        WHERE o.company_id = company AND o.seq > read_to AND o.seq <= read_to + scan_maximum
          AND CASE WHEN o.type = 'webhook.tested' THEN o.subject = tested
            ELSE types IS NULL OR o.type = ANY (types) END
        ORDER BY o.seq LIMIT most
      ) AS e;
      IF cardinality(found_events) = most THEN
        read_to := found_events[most];
      ELSE
        read_to := least(last, read_to + scan_maximum);
      END IF;
      IF cardinality(found_events) > 0 THEN
        -- After a replay the log has events that were delivered before, wait for a retry or are being
        -- attempted. The last are left alone and take no room.
        before := cardinality(claimed);
        WITH added AS (
          INSERT INTO webhook_delivery AS d
            (company_id, webhook_id, seq, state, due_at, claimed_at, created_at)
          SELECT company, endpoint, n, 'pending', lease_end, moment, moment
          FROM unnest(found_events) AS n
          ON CONFLICT (company_id, webhook_id, seq) DO UPDATE SET
            state = 'pending', due_at = excluded.due_at, claimed_at = excluded.claimed_at,
            claim = d.claim + 1, failures = 0, finished_at = NULL
          WHERE d.claimed_at IS NULL
          RETURNING d.seq
        )
        SELECT claimed || coalesce(array_agg(a.seq), '{}') INTO claimed FROM added AS a;
        room := room - (cardinality(claimed) - before);
      END IF;
    END IF;
    -- The caller has taken as many as it can; another one may take more.
    IF unfinished < queue_maximum AND room > 0 AND read_to < last THEN
      next_look := moment;
    END IF;
  END IF;

  -- Without room for an attempt, the end of a running one or of its lease comes first.
  IF next_look IS NULL THEN
    SELECT min(d.due_at) INTO next_look FROM webhook_delivery AS d
    WHERE d.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL
      AND (room > 0 OR d.claimed_at IS NOT NULL);
  END IF;
  UPDATE webhook_endpoint AS w SET claimed_seq = read_to, due_at = next_look
  WHERE w.company_id = company AND w.webhook_id = endpoint;

  IF cardinality(claimed) > 0 THEN
    RETURN QUERY
      SELECT d.seq, d.claim, d.failures, d.claimed_at, w.url, w.secret,
        CASE WHEN w.previous_secret_ends_at > moment THEN w.previous_secret END,
        e.subject, e.version, e.type::text, e.actor,
        CASE WHEN e.type = 'guardrail.triggered' AND NOT w.reads_responses
          THEN e.changes - 'values' ELSE e.changes END,
        e.created_at
      FROM unnest(claimed) AS n
      JOIN webhook_endpoint AS w ON w.company_id = company AND w.webhook_id = endpoint
      JOIN webhook_delivery AS d
        ON d.company_id = company AND d.webhook_id = endpoint AND d.seq = n
      JOIN event AS e ON e.company_id = company AND e.seq = n;
  END IF;
END $$;
