-- Takes responses that are in the tally out of it, or adds them as they are now: call it before and
-- after a change of responses, in the transaction of the change. What is not in the tally yet is
-- folded later, as it is then.
CREATE OR REPLACE FUNCTION recount_responses(
  company uuid, campaigns bigint[], participations uuid[], is_removal boolean
) RETURNS void LANGUAGE plpgsql
-- A plan that was made while a table was small must not scan it when it has grown.
SET enable_seqscan = off AS $$
DECLARE
  folded_campaigns bigint[];
  folded uuid[];
  reached bigint := lock_tally(company);
BEGIN
  -- The first event of a submitted participation is its submission. Its number says whether it is
  -- in. Only events that are in the tally are archived, so one that is in neither table is in.
  SELECT array_agg(n.campaign_id), array_agg(n.participation_id) INTO folded_campaigns, folded
  FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
  LEFT JOIN LATERAL (
    SELECT e.seq FROM event AS e
    WHERE e.company_id = company AND e.subject = n.participation_id AND e.version = 1 LIMIT 1
  ) AS submission ON true
  WHERE submission.seq <= reached OR submission.seq IS NULL AND NOT EXISTS (
    SELECT FROM unnumbered_event AS u
    WHERE u.company_id = company AND u.subject = n.participation_id AND u.version = 1
  );
  IF folded IS NOT NULL THEN
    PERFORM add_to_tally(company, folded_campaigns, folded, is_removal);
  END IF;
END $$;
