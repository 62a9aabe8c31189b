-- Numbers up to "batch" events of a company and returns how many, and the last number given; no
-- row if another process is numbering. The lock is a statement of its own: a statement that both
-- waited for the lock and numbered would work on a snapshot from before the wait, and number
-- events again.
--
-- A subject's events never go back in time, so its versions stay in order, from batch to batch
-- too. The settings keep the plan independent of statistics: an index scan finds a batch. Other
-- scans would not remove the index entries of numbered events. The rows of the batch are found by
-- their places: by their keys, a plan for a company with one event would read all events for each.
CREATE OR REPLACE FUNCTION number_events(company uuid, batch integer)
RETURNS TABLE (numbered integer, reached bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  SELECT s.last_seq INTO reached FROM event_sequence AS s WHERE s.company_id = company
  FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO event_sequence (company_id, last_seq) VALUES (company, 0) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    reached := 0;
  END IF;
  WITH due AS (
    DELETE FROM unnumbered_event AS u WHERE u.company_id = company AND u.ctid = ANY (ARRAY(
      SELECT o.ctid FROM unnumbered_event AS o WHERE o.company_id = company
      ORDER BY o.created_at, o.subject, o.version LIMIT batch
    ))
    RETURNING u.*
  ), moved AS (
    INSERT INTO event (company_id, subject, version, type, actor, changes, created_at, seq)
    SELECT d.company_id, d.subject, d.version, d.type, d.actor, d.changes, d.created_at,
      reached + row_number() OVER (ORDER BY d.created_at, d.subject, d.version)
    FROM due AS d
    RETURNING 1
  )
  SELECT count(*) INTO numbered FROM moved;
  IF numbered > 0 THEN
    reached := reached + numbered;
    UPDATE event_sequence AS s SET last_seq = reached WHERE s.company_id = company;
  END IF;
  RETURN NEXT;
END $$;
