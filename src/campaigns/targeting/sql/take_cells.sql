-- Counts a respondent who begins in these cells, in all of them or in none. Returns the first one that
-- has no place left; null if each had one. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION take_cells(company uuid, campaign_of bigint, wanted smallint[])
RETURNS smallint LANGUAGE plpgsql
-- A plan that was made while a campaign had few cells must not scan the table when it has grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  found smallint[];
BEGIN
  WITH placed AS (
    UPDATE quota_cell AS q SET taken = q.taken + 1
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = ANY (wanted)
      AND q.taken < q.maximum
    RETURNING q.cell
  )
  SELECT array_agg(p.cell) INTO found FROM placed AS p;
  IF cardinality(found) = cardinality(wanted) THEN
    RETURN NULL;
  END IF;
  UPDATE quota_cell AS q SET taken = q.taken - 1
  WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = ANY (found);
  RETURN (SELECT w.cell FROM unnest(wanted) WITH ORDINALITY AS w (cell, position)
    WHERE (w.cell = ANY (found)) IS NOT TRUE ORDER BY w.position LIMIT 1);
END $$;
