-- Ends what an approval permits, after its request was carried out on the campaign with this post_id. False
-- if the campaign can cost more now than what was approved, such as after a bonus: the caller then undoes
-- all of it.
CREATE OR REPLACE FUNCTION finish_approval(company uuid, approval uuid, post text, actor text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  a approval%ROWTYPE;
  campaign_of bigint;
  becomes numeric;
BEGIN
  SELECT c.id INTO campaign_of FROM campaign AS c WHERE c.company_id = company AND c.post_id = post;
  becomes := commitment_of(company, campaign_of);
  UPDATE approval AS o SET campaign_id = campaign_of, run_in = NULL
  WHERE o.company_id = company AND o.approval_id = approval
  RETURNING * INTO a;
  PERFORM record_approval_event(a, 2, 'approval.approved', actor, '{}', clock_timestamp());
  RETURN a.commits IS NULL OR becomes <= a.commits;
END $$;
