-- Computes the percentiles of the answering times of question sets from the tally: at 30 responses, and
-- each time that their number has grown by a tenth since. After a removal it always does, so that
-- nothing of an erased response is left. The caller holds the lock of the tally.
CREATE OR REPLACE FUNCTION refresh_answer_times(
  company uuid, campaign_of bigint, version_of integer, is_removal boolean
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- Of fewer responses, a percentile says little.
  minimum CONSTANT integer := 30;
  growth CONSTANT numeric := 1.1;
  counted bigint;
  known bigint;
  found integer[];
BEGIN
  SELECT a.responses INTO known FROM answer_times AS a
  WHERE a.company_id = company AND a.campaign_id = campaign_of AND a.version = version_of;
  IF known IS NULL AND is_removal THEN
    RETURN;
  END IF;
  SELECT t.cohort_1 + t.cohort_2 + t.cohort_3 + t.cohort_4 + t.cohort_5 INTO counted
  FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = 0 AND t.kind = 'counted' AND t.item = '' AND t.key = '';
  counted := coalesce(counted, 0);
  IF counted < minimum THEN
    IF is_removal THEN
      DELETE FROM answer_times AS a
      WHERE a.company_id = company AND a.campaign_id = campaign_of AND a.version = version_of;
    END IF;
    RETURN;
  END IF;
  IF NOT is_removal AND counted < known * growth THEN
    RETURN;
  END IF;
  -- A bucket stands for the percentiles that are reached in it.
  SELECT array_agg(r.bucket ORDER BY r.bucket) INTO found
  FROM (
    SELECT s.bucket, s.n, sum(s.n) OVER (ORDER BY s.bucket) AS reached
    FROM (
      SELECT t.key::integer AS bucket,
        t.cohort_1 + t.cohort_2 + t.cohort_3 + t.cohort_4 + t.cohort_5 AS n
      FROM tally AS t
      WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
        AND t.cell = 0 AND t.kind = 'seconds' AND t.item = ''
    ) AS s
  ) AS r
  CROSS JOIN LATERAL generate_series(
    floor((r.reached - r.n) * 100 / counted)::integer + 1, floor(r.reached * 100 / counted)::integer
  ) AS percentile;
  INSERT INTO answer_times AS a (company_id, campaign_id, version, responses, percentiles)
  VALUES (company, campaign_of, version_of, counted, found)
  ON CONFLICT (company_id, campaign_id, version)
  DO UPDATE SET responses = excluded.responses, percentiles = excluded.percentiles;
END $$;
