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
  UPDATE event SET seq = reached + numbers.n
  FROM (
    SELECT due.place,
      row_number() OVER (ORDER BY due.created_at, due.subject, due.version) AS n
    FROM (
      SELECT e.ctid AS place, e.subject, e.version, e.created_at FROM event AS e
      WHERE e.company_id = company AND e.seq IS NULL
      ORDER BY e.created_at, e.subject, e.version
      LIMIT batch
    ) AS due
  ) AS numbers
  WHERE event.company_id = company AND event.ctid = numbers.place;
  GET DIAGNOSTICS numbered = ROW_COUNT;
  IF numbered > 0 THEN
    reached := reached + numbered;
    UPDATE event_sequence AS s SET last_seq = reached WHERE s.company_id = company;
  END IF;
  RETURN NEXT;
END $$;
