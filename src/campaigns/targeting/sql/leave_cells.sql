-- Takes participations that count no more out of their cells. Of the cells, each named once, so many
-- were open, and so many submitted. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION leave_cells(
  company uuid, campaign_of bigint, own smallint[], opened integer[], answered integer[]
) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  counts integer[];
BEGIN
  SELECT g.taken INTO counts FROM cell_counts AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  FOR n IN 1 .. cardinality(own) LOOP
    counts[own[n]] := counts[own[n]] - opened[n] - answered[n];
  END LOOP;
  UPDATE cell_counts AS g SET taken = counts
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF 0 < ANY (answered) THEN
    UPDATE quota_cell AS q SET submitted = q.submitted - n.answered
    FROM unnest(own, answered) AS n (cell, answered)
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = n.cell;
    PERFORM record_quotas(company, campaign_of);
  END IF;
END $$;
