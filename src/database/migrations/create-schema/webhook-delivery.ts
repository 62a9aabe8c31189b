/** Events whose numbers one claim looks at, whatever the endpoint's types leave out of them. */
const SCAN_MAXIMUM = 10_000;

/** Maximum number of unfinished deliveries of an endpoint. Further events wait in the log. */
const QUEUE_MAXIMUM = 10_000;

/** Number of attempts that a delivery remembers. */
const ATTEMPTS_KEPT = 20;

/** Appends an attempt, without the oldest one if there are too many. */
const withAttempt = (attempt: string) =>
  `(CASE WHEN jsonb_array_length(d.attempts) < ${ATTEMPTS_KEPT} THEN d.attempts
    ELSE d.attempts - 0 END) || ${attempt}`;

/** The row of one delivery, named `d`. */
const ONE = 'd.company_id = company AND d.webhook_id = endpoint AND d.seq = delivery';

/** The rows of an endpoint's unfinished deliveries, named `d`. */
const UNFINISHED = 'd.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL';

/**
 * What both functions return: the claimed deliveries, each with its endpoint and its event. The
 * settings keep the plans independent of statistics: an index finds each row by its whole key.
 */
const RETURNS_CLAIMED = `RETURNS TABLE (
      seq bigint, claim integer, failures integer, claimed_at timestamptz,
      url text, secret bytea, previous_secret bytea,
      subject text, version integer, type text, actor text, changes jsonb, created_at timestamptz
    )
    LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_bitmapscan = off
    SET enable_hashjoin = off SET enable_mergejoin = off`;

/** The delivery of an event to an endpoint, from its first attempt on. */
export const webhookDelivery = [
  `CREATE TABLE webhook_delivery (
    company_id text NOT NULL,
    webhook_id text NOT NULL,
    seq bigint NOT NULL,
    state text NOT NULL,
    -- The next attempt, or the end of the lease of the running one; null once it is finished.
    due_at timestamptz(3),
    -- The start of the running attempt; null if none is running.
    claimed_at timestamptz(3),
    -- Which claim is the valid one. Only its holder may write a result.
    claim integer NOT NULL DEFAULT 1,
    -- Failed attempts since the delivery began, or was replayed.
    failures integer NOT NULL DEFAULT 0,
    attempts jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (company_id, webhook_id, seq),
    CONSTRAINT webhook_delivery_endpoint_fkey FOREIGN KEY (company_id, webhook_id)
      REFERENCES webhook_endpoint (company_id, webhook_id) ON DELETE CASCADE,
    CONSTRAINT webhook_delivery_state CHECK (
      CASE state
        WHEN 'pending' THEN due_at IS NOT NULL AND finished_at IS NULL
        WHEN 'delivered' THEN due_at IS NULL AND claimed_at IS NULL AND finished_at IS NOT NULL
        WHEN 'failed' THEN due_at IS NULL AND claimed_at IS NULL AND finished_at IS NOT NULL
        ELSE false
      END
    )
  )`,
  `COMMENT ON TABLE webhook_delivery IS 'distributed by company_id'`,
  `CREATE INDEX webhook_delivery_unfinished
    ON webhook_delivery (company_id, webhook_id, due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_delivery_running
    ON webhook_delivery (company_id, webhook_id) WHERE claimed_at IS NOT NULL`,
  `CREATE INDEX webhook_delivery_failed
    ON webhook_delivery (company_id, webhook_id, seq) WHERE state = 'failed'`,
  `CREATE INDEX webhook_delivery_finished
    ON webhook_delivery (finished_at) WHERE finished_at IS NOT NULL`,

  // Claims up to "most" deliveries of an endpoint: first those whose next attempt is due, then the
  // next events of the log. No row is returned if there is nothing to do. "at_once" is how many
  // attempts may run at once; an endpoint that fails gets one at a time. Times and JSON are computed
  // before an UPDATE, because Citus refuses to compute them from its columns. Every function locks the
  // endpoint first, so that none waits for a row whose holder waits for another.
  `CREATE FUNCTION claim_deliveries(
    company text, endpoint text, most integer, at_once integer, lease interval
  )
    ${RETURNS_CLAIMED} AS $$
  #variable_conflict use_column
  DECLARE
    moment timestamptz(3);
    read_to bigint;
    last bigint;
    types text[];
    failing boolean;
    room integer;
    unfinished integer;
    claimed bigint[] := '{}';
    found_events bigint[];
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
    SELECT CASE WHEN failing THEN 1 ELSE at_once END - count(*) INTO room
    FROM webhook_delivery AS d
    WHERE d.company_id = company AND d.webhook_id = endpoint AND d.claimed_at IS NOT NULL
      AND d.due_at > moment;
    most := least(most, room);

    IF most > 0 THEN
      SELECT coalesce(array_agg(p.seq), '{}'),
        jsonb_object_agg(p.seq, jsonb_build_object(
          'at', p.claimed_at, 'status', NULL, 'duration_ms', NULL, 'error', 'interrupted'
        ))
      INTO claimed, interrupted
      FROM (
        SELECT d.seq, d.claimed_at FROM webhook_delivery AS d
        WHERE ${UNFINISHED} AND d.due_at <= moment
        ORDER BY d.due_at LIMIT most
      ) AS p;
      IF cardinality(claimed) > 0 THEN
        UPDATE webhook_delivery AS d SET
          due_at = lease_end, claimed_at = moment, claim = d.claim + 1,
          attempts = CASE WHEN d.claimed_at IS NULL THEN d.attempts
            ELSE ${withAttempt('(interrupted -> d.seq::text)')} END
        FROM unnest(claimed) AS n
        WHERE d.company_id = company AND d.webhook_id = endpoint AND d.seq = n;
      END IF;
      most := most - cardinality(claimed);
      room := room - cardinality(claimed);
    END IF;

    SELECT s.last_seq INTO last FROM event_sequence AS s WHERE s.company_id = company;
    IF room > 0 AND read_to < last THEN
      SELECT count(*) INTO unfinished
      FROM (SELECT 1 FROM webhook_delivery AS d WHERE ${UNFINISHED} LIMIT ${QUEUE_MAXIMUM}) AS q;
      IF unfinished < ${QUEUE_MAXIMUM} AND most > 0 THEN
        SELECT coalesce(array_agg(e.seq ORDER BY e.seq), '{}') INTO found_events FROM (
          SELECT o.seq FROM event AS o
          WHERE o.company_id = company AND o.seq > read_to AND o.seq <= read_to + ${SCAN_MAXIMUM}
            AND CASE WHEN o.type = 'webhook.tested' THEN o.subject = endpoint
              ELSE types IS NULL OR o.type = ANY (types) END
          ORDER BY o.seq LIMIT most
        ) AS e;
        IF cardinality(found_events) = most THEN
          read_to := found_events[most];
        ELSE
          read_to := least(last, read_to + ${SCAN_MAXIMUM});
        END IF;
        IF cardinality(found_events) > 0 THEN
          -- After a replay the log has events that were delivered before.
          WITH added AS (
            INSERT INTO webhook_delivery AS d
              (company_id, webhook_id, seq, state, due_at, claimed_at, created_at)
            SELECT company, endpoint, n, 'pending', lease_end, moment, moment
            FROM unnest(found_events) AS n
            ON CONFLICT (company_id, webhook_id, seq) DO UPDATE SET
              state = 'pending', due_at = excluded.due_at, claimed_at = excluded.claimed_at,
              claim = d.claim + 1, failures = 0, finished_at = NULL
            WHERE d.due_at IS NULL
            RETURNING d.seq
          )
          SELECT claimed || coalesce(array_agg(a.seq), '{}') INTO claimed FROM added AS a;
          room := room - cardinality(found_events);
        END IF;
      END IF;
      -- The caller has taken as many as it can; another one may take more.
      IF unfinished < ${QUEUE_MAXIMUM} AND room > 0 AND read_to < last THEN
        next_look := moment;
      END IF;
    END IF;

    -- Without room for an attempt, the end of a running one or of its lease comes first.
    IF next_look IS NULL THEN
      SELECT min(d.due_at) INTO next_look FROM webhook_delivery AS d
      WHERE ${UNFINISHED} AND (room > 0 OR d.claimed_at IS NOT NULL);
    END IF;
    UPDATE webhook_endpoint AS w SET claimed_seq = read_to, due_at = next_look
    WHERE w.company_id = company AND w.webhook_id = endpoint;

    IF cardinality(claimed) > 0 THEN
      RETURN QUERY
        SELECT d.seq, d.claim, d.failures, d.claimed_at, w.url, w.secret,
          CASE WHEN w.previous_secret_ends_at > moment THEN w.previous_secret END,
          e.subject, e.version, e.type, e.actor, e.changes, e.created_at
        FROM unnest(claimed) AS n
        JOIN webhook_endpoint AS w ON w.company_id = company AND w.webhook_id = endpoint
        JOIN webhook_delivery AS d
          ON d.company_id = company AND d.webhook_id = endpoint AND d.seq = n
        JOIN event AS e ON e.company_id = company AND e.seq = n;
    END IF;
  END $$`,

  // Writes the result of an attempt, unless the delivery was claimed again in the meantime, and
  // claims the next deliveries in the same transaction. "outcome" is delivered, failed, gone (the
  // endpoint is disabled) or interrupted (the attempt does not count). "pause" is the time until the
  // next attempt; null if there is none. "patience" is how long an endpoint may do nothing but fail.
  `CREATE FUNCTION finish_delivery(
    company text, endpoint text, delivery bigint, held integer, outcome text, attempt jsonb,
    pause interval, patience interval, most integer, at_once integer, lease interval
  )
    ${RETURNS_CLAIMED} AS $$
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
      attempts = ${withAttempt('attempt')}
    WHERE ${ONE} AND d.claim = held AND d.claimed_at IS NOT NULL;
    IF FOUND THEN
      IF outcome = 'delivered' THEN
        IF failing IS NOT NULL THEN
          UPDATE webhook_endpoint AS w SET failing_since = NULL
          WHERE w.company_id = company AND w.webhook_id = endpoint;
        END IF;
      ELSIF outcome <> 'interrupted' THEN
        failing := coalesce(failing, moment);
        disabling := CASE WHEN outcome = 'gone' THEN 'gone'
          WHEN failing <= moment - patience THEN 'failing' END;
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
  END $$`,
];
