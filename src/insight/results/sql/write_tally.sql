-- Adds amounts to the tally, or takes them out. The caller, add_to_tally, holds its lock.
CREATE OR REPLACE FUNCTION write_tally(
  company uuid, in_cell smallint, campaign_ids bigint[], versions integer[], kinds text[],
  items text[], keys text[],
  cohorts_1 numeric[], cohorts_2 numeric[], cohorts_3 numeric[], cohorts_4 numeric[],
  cohorts_5 numeric[], is_removal boolean
) RETURNS void LANGUAGE plpgsql
SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  taken record;
  touched record;
BEGIN
  IF is_removal THEN
    -- Row by row: a plan for all of them, made while the tally was small, compares each with each.
    FOR taken IN
      SELECT * FROM unnest(campaign_ids, versions, kinds, items, keys,
        cohorts_1, cohorts_2, cohorts_3, cohorts_4, cohorts_5)
        AS a (campaign_id, version, kind, item, key,
          cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
    LOOP
      UPDATE tally AS t
      SET cohort_1 = t.cohort_1 - taken.cohort_1, cohort_2 = t.cohort_2 - taken.cohort_2,
        cohort_3 = t.cohort_3 - taken.cohort_3, cohort_4 = t.cohort_4 - taken.cohort_4,
        cohort_5 = t.cohort_5 - taken.cohort_5
      WHERE t.company_id = company AND t.campaign_id = taken.campaign_id
        AND t.version = taken.version AND t.cell = in_cell AND t.kind = taken.kind
        AND t.item = taken.item AND t.key = taken.key;
    END LOOP;
    -- What was only in what is taken out leaves no trace. Ratings can be negative, so their sum can
    -- be 0 and still have something to take out.
    FOR taken IN
      SELECT * FROM unnest(campaign_ids, versions, kinds, items, keys)
        AS a (campaign_id, version, kind, item, key)
    LOOP
      DELETE FROM tally AS t
      WHERE t.company_id = company AND t.campaign_id = taken.campaign_id
        AND t.version = taken.version AND t.cell = in_cell AND t.kind = taken.kind
        AND t.item = taken.item AND t.key = taken.key
        AND t.cohort_1 = 0 AND t.cohort_2 = 0 AND t.cohort_3 = 0 AND t.cohort_4 = 0
        AND t.cohort_5 = 0
        AND (t.kind <> 'rating' OR NOT EXISTS (
          SELECT FROM tally AS a
          WHERE a.company_id = company AND a.campaign_id = t.campaign_id AND a.version = t.version
            AND a.cell = in_cell AND a.kind = 'answered' AND a.item = t.item
            AND greatest(a.cohort_1, a.cohort_2, a.cohort_3, a.cohort_4, a.cohort_5) > 0
        ));
    END LOOP;
  ELSE
    INSERT INTO tally AS t (company_id, cell, campaign_id, version, kind, item, key,
      cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
    SELECT company, in_cell, a.*
    FROM unnest(campaign_ids, versions, kinds, items, keys,
      cohorts_1, cohorts_2, cohorts_3, cohorts_4, cohorts_5) AS a
    ON CONFLICT (company_id, campaign_id, version, cell, kind, item, key) DO UPDATE
    SET cohort_1 = t.cohort_1 + excluded.cohort_1, cohort_2 = t.cohort_2 + excluded.cohort_2,
      cohort_3 = t.cohort_3 + excluded.cohort_3, cohort_4 = t.cohort_4 + excluded.cohort_4,
      cohort_5 = t.cohort_5 + excluded.cohort_5;
    FOR touched IN
      SELECT DISTINCT a.campaign_id, a.version, a.kind, a.item
      FROM unnest(campaign_ids, versions, kinds, items)
        AS a (campaign_id, version, kind, item)
      WHERE a.kind IN ('value', 'date', 'order')
    LOOP
      PERFORM coarsen_tally(company, in_cell, touched.campaign_id, touched.version, touched.kind,
        touched.item);
    END LOOP;
  END IF;
END $$;
