-- Whether a campaign pays somebody more than before: a respondent, or one who is screened out.
CREATE OR REPLACE FUNCTION is_dearer(before campaign, after campaign) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := after.company_id;
  campaign_of CONSTANT bigint := after.id;
  versions CONSTANT integer[] := ARRAY[before.targeting_version, after.targeting_version];
  rewards numeric[];
BEGIN
  IF before.cohort_rewards[1] < after.cohort_rewards[1]
    OR before.cohort_rewards[2] < after.cohort_rewards[2]
    OR before.cohort_rewards[3] < after.cohort_rewards[3]
    OR before.cohort_rewards[4] < after.cohort_rewards[4]
    OR before.cohort_rewards[5] < after.cohort_rewards[5]
  THEN
    RETURN true;
  END IF;
  SELECT array_agg(coalesce((
    SELECT (t.content ->> 'screen_out_reward')::numeric FROM targeting AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = v.version
  ), 0) ORDER BY v.place) INTO rewards
  FROM unnest(versions) WITH ORDINALITY AS v (version, place);
  RETURN rewards[1] < rewards[2];
END $$;
