-- Removes the next events of a company up to the number "through", at most "most" of them, and
-- returns how many; 0 if something needs the next one again. The numbers of submissions stay, for
-- exports, and so do payments, for settlements. "first_seq" changes in the same transaction, so no reader takes removed events for none.
-- An endpoint that is not waited for continues after them, and knows which ones it has missed.
--
-- The order of the locks is that of numbering. A replay locks its endpoint, and reads "first_seq"
-- afterwards.
CREATE OR REPLACE FUNCTION remove_archived_events(
  company uuid, through bigint, most integer, abandoned timestamptz DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_mergejoin = off AS $$
DECLARE
  first bigint;
  up_to bigint;
BEGIN
  SELECT s.first_seq INTO first FROM event_sequence AS s WHERE s.company_id = company FOR UPDATE;
  PERFORM 1 FROM webhook_endpoint AS w WHERE w.company_id = company
  ORDER BY w.webhook_id FOR UPDATE;
  up_to := least(through, first + most - 1, archivable_seq(company, abandoned));
  IF (up_to >= first) IS NOT TRUE THEN
    RETURN 0;
  END IF;
  INSERT INTO archived_submission (company_id, campaign_id, seq, participation_id, cohort)
  SELECT company, c.id, e.seq, e.subject, (e.changes ->> 'cohort')::smallint
  FROM event AS e
  JOIN campaign AS c ON c.company_id = company AND c.post_id = e.changes ->> 'post_id'
  WHERE e.company_id = company AND e.seq >= first AND e.seq <= up_to
    AND e.type = 'response.submitted';
  INSERT INTO archived_payment
    (company_id, seq, campaign_id, participation_id, kind, amount, paid_at)
  SELECT company, p.seq, p.campaign_id, p.participation_id, p.kind, p.amount, p.paid_at
  FROM payments(company, first - 1, up_to) AS p WHERE p.kind <> 'settle';
  DELETE FROM event AS e WHERE e.company_id = company AND e.seq >= first AND e.seq <= up_to;
  UPDATE webhook_endpoint AS w SET claimed_seq = up_to, missed_to_seq = up_to,
    missed_from_seq = CASE WHEN w.missed_to_seq = w.claimed_seq THEN w.missed_from_seq
      ELSE w.claimed_seq + 1 END
  WHERE w.company_id = company AND w.claimed_seq < up_to;
  UPDATE event_sequence AS s SET first_seq = up_to + 1 WHERE s.company_id = company;
  RETURN up_to - first + 1;
END $$;
