-- Removes what guardrails remember of the signals of quality and the answers of erased responses, which
-- then count as responses without them; a deleted guardrail remembers them until its rows are removed. What a
-- process has computed from the signals is not stored any more, because the revision changes: call
-- it last in the transaction of the erasure. Whoever creates a company's first guardrail meanwhile
-- waits for the end of that transaction. Its locks come after that of the tally, and nobody who has
-- them waits for a participation or for the tally. The order of the rows is that of their removal.
CREATE OR REPLACE FUNCTION forget_signals(
  company uuid, campaigns bigint[], participations uuid[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed uuid := gen_random_uuid();
  remembered record;
BEGIN
  INSERT INTO guardrail_position (company_id, seq, revision) VALUES (company, 0, changed)
  ON CONFLICT (company_id) DO UPDATE SET revision = excluded.revision;
  DELETE FROM guardrail_position AS p
  WHERE p.company_id = company
    AND NOT EXISTS (SELECT FROM guardrail AS g WHERE g.company_id = company);
  FOR remembered IN
    SELECT w.post_id, w.guardrail_id, at.path, (n.place - 1)::text AS place
    FROM unnest(campaigns, participations) AS o (campaign_id, participation_id)
    JOIN campaign AS c ON c.company_id = company AND c.id = o.campaign_id
    JOIN guardrail_watch AS w ON w.company_id = company AND w.post_id = c.post_id
    CROSS JOIN LATERAL (
      SELECT e.seq FROM event AS e
      WHERE e.company_id = company AND e.subject = o.participation_id AND e.version = 1
      UNION ALL
      SELECT a.seq FROM archived_submission AS a
      WHERE a.company_id = company AND a.participation_id = o.participation_id
    ) AS submission
    -- Of all responses, and of those of each quota that is named.
    CROSS JOIN LATERAL (
      SELECT ARRAY['window'] AS path
      UNION ALL
      SELECT ARRAY['quotas', (q.place - 1)::text, 'state', 'window']
      FROM jsonb_array_elements(w.state -> 'quotas') WITH ORDINALITY AS q (quota, place)
    ) AS at
    CROSS JOIN LATERAL jsonb_array_elements(w.state #> (at.path || 'seq'::text))
      WITH ORDINALITY AS n (seq, place)
    WHERE n.seq = to_jsonb(submission.seq)
    ORDER BY w.post_id, w.guardrail_id
  LOOP
    UPDATE guardrail_watch AS w
    SET state = jsonb_set(w.state, remembered.path, (
      SELECT jsonb_object_agg(kept.key, CASE
        WHEN kept.key = 'quality' THEN jsonb_set(kept.value, ARRAY[remembered.place], '0')
        WHEN starts_with(kept.key, 'answer ')
          THEN jsonb_set(kept.value, ARRAY[remembered.place], 'null')
        -- That the response counted in a quota.
        WHEN kept.key = 'seq' AND cardinality(remembered.path) > 1
          THEN jsonb_set(kept.value, ARRAY[remembered.place], '0')
        ELSE kept.value END)
      FROM jsonb_each(w.state #> remembered.path) AS kept
    ))
    WHERE w.company_id = company AND w.post_id = remembered.post_id
      AND w.guardrail_id = remembered.guardrail_id;
  END LOOP;
END $$;
