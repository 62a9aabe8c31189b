-- Stores how far the guardrails of a company have read its log, what they remember now, and what
-- fired at the last of these events, in one transaction. It changes nothing and returns null if
-- another process has read on, or the guardrails have changed, since this was computed. Otherwise
-- it returns how many seconds after its event each firing is stored.
--
-- "watches" is an array of {"guardrail_id", "post_id", "since_seq", "state"}. "firings" is one of
-- {"guardrail_id", "post_id", "name", "then", "seq", "at", "values"}, all of one event.
CREATE OR REPLACE FUNCTION advance_guardrails(
  company uuid, from_seq bigint, known_revision uuid, to_seq bigint, watches jsonb, firings jsonb
) RETURNS double precision[] LANGUAGE plpgsql AS $$
DECLARE
  firing jsonb;
  fired_at_of timestamptz(3);
  moment timestamptz(3);
  reason text;
  is_stopped boolean;
  number integer;
  stored_at timestamptz(3);
  delays double precision[] := ARRAY[]::double precision[];
BEGIN
  UPDATE guardrail_position AS p SET seq = to_seq
  WHERE p.company_id = company AND p.seq = from_seq AND p.revision = known_revision;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF jsonb_array_length(watches) > 0 THEN
    INSERT INTO guardrail_watch AS w (company_id, guardrail_id, post_id, since_seq, state)
    SELECT company, n.guardrail_id, n.post_id, n.since_seq, n.state
    FROM jsonb_to_recordset(watches)
      AS n (guardrail_id text, post_id text, since_seq bigint, state jsonb)
    ON CONFLICT (company_id, post_id, guardrail_id) DO UPDATE
    SET since_seq = excluded.since_seq, state = excluded.state;
  END IF;
  FOR firing IN SELECT n FROM jsonb_array_elements(firings) AS n LOOP
    moment := date_trunc('milliseconds', clock_timestamp());
    fired_at_of := (firing ->> 'at')::timestamptz;
    is_stopped := false;
    reason := CASE firing ->> 'then' WHEN 'stop' THEN 'guardrail' ELSE 'known_enough' END;
    IF firing ->> 'then' IN ('stop', 'complete') THEN
      LOOP
        SELECT c.status IN ('live', 'scheduled') INTO is_stopped FROM campaign AS c
        WHERE c.company_id = company AND c.post_id = firing ->> 'post_id'
        FOR NO KEY UPDATE;
        is_stopped := coalesce(is_stopped, false);
        -- A scheduled start would be one without this guardrail, so it is cancelled. What something
        -- else has stopped meanwhile stays stopped, whatever a document raises afterwards.
        UPDATE campaign AS c
        SET is_live = false, updated_by = 'service',
          stop_reason = reason,
          starts_at = CASE WHEN c.status <> 'scheduled' THEN c.starts_at END
        WHERE c.company_id = company AND c.post_id = firing ->> 'post_id'
          AND c.status <> 'draft';
        EXIT WHEN FOUND;
        -- A start or an end that has come is stored first: see advance_campaign, which knows the time.
        UPDATE campaign AS c SET due_at = NULL, updated_by = 'service'
        WHERE c.company_id = company AND c.post_id = firing ->> 'post_id'
          AND c.due_at IS NOT NULL;
        EXIT WHEN NOT FOUND;
      END LOOP;
    END IF;
    UPDATE guardrail_watch AS w
    SET state = NULL, fired_seq = (firing ->> 'seq')::bigint, fired_at = fired_at_of,
      fired_values = firing -> 'values', fired_stopped = is_stopped
    WHERE w.company_id = company AND w.post_id = firing ->> 'post_id'
      AND w.guardrail_id = firing ->> 'guardrail_id';
    UPDATE guardrail AS g
    SET firings = g.firings + 1, updated_at = greatest(moment, g.updated_at)
    WHERE g.company_id = company AND g.guardrail_id = firing ->> 'guardrail_id'
    RETURNING g.firings, g.updated_at INTO number, stored_at;
    PERFORM record_event(company, firing ->> 'guardrail_id', number, 'guardrail.triggered',
      'service', (firing - 'guardrail_id') || jsonb_build_object('stopped', is_stopped), stored_at);
    delays := delays || extract(epoch FROM moment - fired_at_of)::double precision;
  END LOOP;
  RETURN delays;
END $$;
