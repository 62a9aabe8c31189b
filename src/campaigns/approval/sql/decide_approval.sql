-- Decides a request that waits: "approved" in the transaction that carries it out, "refused", or
-- "outdated" after the campaign has changed. It returns the approval with its state as it then is, null if there is none;
-- "decided" says whether this call has decided it. finish_approval ends an approval.
CREATE OR REPLACE FUNCTION decide_approval(
  company uuid, approval uuid, decision text, why text, actor text,
  OUT asked approval, OUT decided boolean
) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz(3);
BEGIN
  decided := false;
  PERFORM expire_approvals(company);
  SELECT * INTO asked FROM approval AS a
  WHERE a.company_id = company AND a.approval_id = approval
  FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF asked.state IS DISTINCT FROM 'pending' OR asked.expires_at <= moment THEN
    RETURN;
  END IF;
  IF decision = 'approved' THEN
    UPDATE approval AS a SET state = decision, decided_at = moment, place = NULL
    WHERE a.company_id = company AND a.approval_id = approval;
  ELSE
    PERFORM close_approval(asked, decision, why, moment, actor, moment);
  END IF;
  asked.state := decision;
  decided := true;
END $$;
