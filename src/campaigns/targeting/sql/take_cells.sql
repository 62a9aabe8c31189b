-- Counts a respondent who begins in these cells, in all of them or in none. Returns the first one that
-- has no place left; null if each had one. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION take_cells(company uuid, campaign_of bigint, wanted smallint[])
RETURNS smallint LANGUAGE plpgsql
-- A plan that was made while a table was small must not scan it when it has grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  counts integer[];
  limits integer[];
  cell smallint;
BEGIN
  SELECT g.taken, g.maximums INTO counts, limits FROM cell_counts AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  FOREACH cell IN ARRAY wanted LOOP
    IF counts[cell] >= limits[cell] THEN
      RETURN cell;
    END IF;
    counts[cell] := counts[cell] + 1;
  END LOOP;
  UPDATE cell_counts AS g SET taken = counts
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  RETURN NULL;
END $$;
