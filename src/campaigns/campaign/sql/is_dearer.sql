-- Whether a campaign pays somebody more than before: a respondent, or one who is screened out.
CREATE OR REPLACE FUNCTION is_dearer(before campaign, after campaign) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := after.company_id;
  campaign_of CONSTANT bigint := after.id;
  old CONSTANT integer := before.targeting_version;
  new CONSTANT integer := after.targeting_version;
BEGIN
  RETURN EXISTS (
    SELECT FROM unnest(before.cohort_rewards::numeric[], after.cohort_rewards::numeric[])
      AS r (earlier, later)
    WHERE r.earlier < r.later
  ) OR coalesce((
    SELECT (t.content ->> 'screen_out_reward')::numeric FROM targeting AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = old
  ), 0) < coalesce((
    SELECT (t.content ->> 'screen_out_reward')::numeric FROM targeting AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = new
  ), 0);
END $$;
