-- Adds the responses among the next "batch" events of a company to its tally, in the order of their
-- numbers. It returns the number of the last event that is in the tally now, and that of the last
-- event there is. A reversed or erased response is counted as what it is now.
CREATE OR REPLACE FUNCTION fold_responses(company uuid, batch integer)
RETURNS TABLE (folded integer, reached bigint, last bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_mergejoin = off AS $$
DECLARE
  campaigns bigint[];
  participations uuid[];
  up_to bigint;
BEGIN
  folded := 0;
  SELECT s.last_seq INTO last FROM event_sequence AS s WHERE s.company_id = company;
  last := coalesce(last, 0);
  SELECT t.folded_seq INTO reached FROM tally_position AS t WHERE t.company_id = company;
  -- Whoever finds nothing to do waits for nobody.
  IF (reached >= last) IS NOT TRUE THEN
    reached := lock_tally(company);
  END IF;
  IF reached < last THEN
    up_to := least(last, reached + batch);
    SELECT array_agg(c.id ORDER BY e.seq), array_agg(e.subject ORDER BY e.seq)
    INTO campaigns, participations
    FROM event AS e
    CROSS JOIN LATERAL (
      SELECT o.id FROM campaign AS o
      WHERE o.company_id = company AND o.post_id = e.changes ->> 'post_id' LIMIT 1
    ) AS c
    WHERE e.company_id = company AND e.seq > reached AND e.seq <= up_to
      AND e.type = 'response.submitted';
    IF campaigns IS NOT NULL THEN
      PERFORM add_to_tally(company, campaigns, participations, false);
      folded := cardinality(campaigns);
    END IF;
    UPDATE tally_position AS t SET folded_seq = up_to WHERE t.company_id = company;
    reached := up_to;
  END IF;
  RETURN NEXT;
END $$;
