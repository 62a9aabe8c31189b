-- Takes participations that count no more out of their cells. Of the cells, each named once, so many
-- were open, and so many submitted. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION leave_cells(
  company uuid, campaign_of bigint, own smallint[], opened integer[], answered integer[]
) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  UPDATE quota_cell AS q
  SET taken = q.taken - n.opened - n.answered, submitted = q.submitted - n.answered
  FROM unnest(own, opened, answered) AS n (cell, opened, answered)
  WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = n.cell;
  IF 0 < ANY (answered) THEN
    PERFORM record_quotas(company, campaign_of);
  END IF;
END $$;
