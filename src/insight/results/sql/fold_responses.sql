-- Adds the responses among the next "batch" events of a company to its tally, in the order of their
-- numbers, until their answers are so long that more would take too much time. It returns the number
-- of the last event that is in the tally now, and that of the last event there is. A reversed or
-- erased response is counted as what it is now. Banners and margins are kept from the batch on in which
-- they were declared.
CREATE OR REPLACE FUNCTION fold_responses(company uuid, batch integer)
RETURNS TABLE (folded integer, reached bigint, last bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_mergejoin = off AS $$
DECLARE
  -- Bytes of answers after which no other response follows. A response has a few hundred; one that
  -- ticks all 25,000 options of the longest question set has more than 0.5 MB, and takes 0.2 s.
  answers_maximum CONSTANT integer := 1024 * 1024;
  campaigns bigint[];
  participations uuid[];
  up_to bigint;
  left_out bigint;
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
    SELECT array_agg(n.campaign_id ORDER BY n.seq) FILTER (WHERE n.before < answers_maximum),
      array_agg(n.subject ORDER BY n.seq) FILTER (WHERE n.before < answers_maximum),
      min(n.seq) FILTER (WHERE n.before >= answers_maximum)
    INTO campaigns, participations, left_out
    FROM (
      SELECT e.seq, e.subject, c.id AS campaign_id, coalesce(sum(p.size) OVER (
        ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM event AS e
      CROSS JOIN LATERAL (
        SELECT o.id FROM campaign AS o
        WHERE o.company_id = company AND o.post_id = e.changes ->> 'post_id' LIMIT 1
      ) AS c
      CROSS JOIN LATERAL (
        SELECT octet_length(o.answers) AS size FROM participation AS o
        WHERE o.company_id = company AND o.campaign_id = c.id AND o.participation_id = e.subject
        LIMIT 1
      ) AS p
      WHERE e.company_id = company AND e.seq > reached AND e.seq <= up_to
        AND e.type = 'response.submitted'
    ) AS n;
    up_to := coalesce(left_out - 1, up_to);
    PERFORM declare_tabulations(company, c.id, reached)
    FROM event AS e
    JOIN campaign AS c ON c.company_id = company AND c.post_id = printed_id('post', e.subject)
    WHERE e.company_id = company AND e.seq > reached AND e.seq <= up_to
      AND e.type IN ('campaign.created', 'campaign.updated')
      AND e.changes ?| '{banners,margins}';
    IF campaigns IS NOT NULL THEN
      PERFORM add_to_tally(company, campaigns, participations, false);
      folded := cardinality(campaigns);
    END IF;
    UPDATE tally_position AS t SET folded_seq = up_to WHERE t.company_id = company;
    reached := up_to;
  END IF;
  RETURN NEXT;
END $$;
