-- Keeps a question whose values are counted by themselves in bounds: once there are more than 1,000,
-- it merges them at the finest level of coarse_key with fewer, and remembers that level in the row
-- "coarse", which stays. The caller holds the lock of the tally.
CREATE OR REPLACE FUNCTION coarsen_tally(
  company uuid, in_cell smallint, campaign_of bigint, version_of integer, kind_of text, item_of text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  values_maximum CONSTANT integer := 1000;
  level_maximum CONSTANT integer := CASE kind_of WHEN 'value' THEN 1 WHEN 'date' THEN 2 ELSE 19 END;
  level integer;
  many integer;
  merged record;
BEGIN
  SELECT t.cohort_1::integer INTO level FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = in_cell AND t.kind = 'coarse' AND t.item = item_of AND t.key = '';
  level := coalesce(level, 0);
  IF level >= level_maximum THEN
    RETURN;
  END IF;
  SELECT count(*) INTO many FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of;
  IF many <= values_maximum THEN
    RETURN;
  END IF;
  WHILE many > values_maximum AND level < level_maximum LOOP
    level := level + 1;
    SELECT count(DISTINCT coarse_key(kind_of, t.key, level)) INTO many FROM tally AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
      AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of;
  END LOOP;
  SELECT array_agg(m.key) AS key, array_agg(m.cohort_1) AS cohort_1,
    array_agg(m.cohort_2) AS cohort_2, array_agg(m.cohort_3) AS cohort_3,
    array_agg(m.cohort_4) AS cohort_4, array_agg(m.cohort_5) AS cohort_5
  INTO merged
  FROM (
    SELECT coarse_key(kind_of, t.key, level) AS key, sum(t.cohort_1) AS cohort_1,
      sum(t.cohort_2) AS cohort_2, sum(t.cohort_3) AS cohort_3, sum(t.cohort_4) AS cohort_4,
      sum(t.cohort_5) AS cohort_5
    FROM tally AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
      AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of
    GROUP BY 1
  ) AS m;
  DELETE FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of;
  INSERT INTO tally (company_id, campaign_id, version, cell, kind, item, key,
    cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
  SELECT company, campaign_of, version_of, in_cell, kind_of, item_of, m.*
  FROM unnest(merged.key, merged.cohort_1, merged.cohort_2, merged.cohort_3, merged.cohort_4,
    merged.cohort_5) AS m;
  INSERT INTO tally AS t (company_id, campaign_id, version, cell, kind, item, key,
    cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
  VALUES (company, campaign_of, version_of, in_cell, 'coarse', item_of, '', level, 0, 0, 0, 0)
  ON CONFLICT (company_id, campaign_id, version, cell, kind, item, key) DO UPDATE
  SET cohort_1 = excluded.cohort_1;
END $$;
