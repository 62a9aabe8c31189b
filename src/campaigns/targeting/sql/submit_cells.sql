-- Counts a submission in the cells of its participation. The caller has locked the campaign and
-- written the event of the response, which comes before that of a quota that is filled by it.
CREATE OR REPLACE FUNCTION submit_cells(company uuid, campaign_of bigint, own smallint[])
RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  is_filled boolean;
BEGIN
  WITH counted AS (
    UPDATE quota_cell AS q SET submitted = q.submitted + 1
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = ANY (own)
    RETURNING q.submitted >= q.maximum AND NOT q.filled AS is_filled
  )
  SELECT bool_or(c.is_filled) INTO is_filled FROM counted AS c;
  IF is_filled THEN
    PERFORM record_quotas(company, campaign_of);
  END IF;
END $$;
