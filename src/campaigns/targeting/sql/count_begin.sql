-- Counts a begin for the pace of a campaign. The caller has locked the campaign.
CREATE OR REPLACE FUNCTION count_begin(company uuid, campaign_of bigint, moment timestamptz)
RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  current_minute integer := floor(extract(epoch FROM moment) / 60);
  last_minute integer;
  counts integer[];
  passed integer;
BEGIN
  SELECT b.minute, b.begun INTO last_minute, counts FROM begin_pace AS b
  WHERE b.company_id = company AND b.campaign_id = campaign_of;
  IF NOT FOUND THEN
    INSERT INTO begin_pace (company_id, campaign_id, minute, begun)
    VALUES (company, campaign_of, current_minute, array_fill(0, ARRAY[60]) || 1);
    RETURN;
  END IF;
  passed := least(greatest(current_minute - last_minute, 0), 61);
  counts := counts[passed + 1:61] || array_fill(0, ARRAY[passed]);
  counts[61] := counts[61] + 1;
  UPDATE begin_pace AS b SET minute = greatest(last_minute, current_minute), begun = counts
  WHERE b.company_id = company AND b.campaign_id = campaign_of;
END $$;
