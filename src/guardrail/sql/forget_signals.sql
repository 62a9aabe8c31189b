-- Removes what guardrails remember of the signals of quality of erased responses, which then count as
-- responses without signals. What a process has computed from the signals is not stored any more,
-- because the revision changes: call it last in the transaction of the erasure. Its locks come
-- after that of the tally, and nobody who has them waits for a participation or for the tally.
CREATE OR REPLACE FUNCTION forget_signals(
  company uuid, campaigns bigint[], participations uuid[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed uuid := gen_random_uuid();
  posts text[];
  remembered bigint[];
  erased bigint[];
BEGIN
  UPDATE guardrail_position AS p SET revision = changed WHERE p.company_id = company;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT array_agg(c.post_id) INTO posts FROM campaign AS c
  WHERE c.company_id = company AND c.id = ANY (campaigns);
  SELECT array_agg(n.seq::bigint) INTO remembered
  FROM guardrail_watch AS w
  CROSS JOIN LATERAL jsonb_array_elements(w.state -> 'window' -> 'seq') AS n (seq)
  WHERE w.company_id = company AND w.post_id = ANY (posts);
  SELECT array_agg(submission.seq) INTO erased FROM (
    SELECT e.seq FROM event AS e
    WHERE e.company_id = company AND e.subject = ANY (participations) AND e.version = 1
    UNION ALL
    SELECT a.seq FROM archived_submission AS a
    WHERE a.company_id = company AND a.campaign_id = ANY (campaigns)
      AND a.participation_id = ANY (participations)
  ) AS submission
  -- The archived ones have an index of the numbers, but none of the participations.
  WHERE submission.seq = ANY (remembered);
  IF erased IS NULL THEN
    RETURN;
  END IF;
  UPDATE guardrail_watch AS w
  SET state = jsonb_set(w.state, '{window,quality}', (
    SELECT jsonb_agg(
      CASE WHEN n.seq::bigint = ANY (erased) THEN '0' ELSE n.quality END ORDER BY n.place
    )
    FROM ROWS FROM (
      jsonb_array_elements(w.state -> 'window' -> 'quality'),
      jsonb_array_elements(w.state -> 'window' -> 'seq')
    ) WITH ORDINALITY AS n (quality, seq, place)
  ))
  WHERE w.company_id = company AND w.post_id = ANY (posts)
    AND EXISTS (
      SELECT FROM unnest(erased) AS n (seq)
      WHERE w.state -> 'window' -> 'seq' @> to_jsonb(n.seq)
    );
END $$;
