-- Stores that a request that waits will never be carried out.
CREATE OR REPLACE FUNCTION close_approval(
  a approval, becomes text, why text, ended timestamptz, actor text, moment timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := a.company_id;
  closed CONSTANT uuid := a.approval_id;
BEGIN
  UPDATE approval AS o SET state = becomes, reason = why, decided_at = ended, place = NULL
  WHERE o.company_id = company AND o.approval_id = closed;
  PERFORM record_approval_event(a, 2, 'approval.' || becomes, actor,
    jsonb_strip_nulls(jsonb_build_object('reason', why)), moment);
END $$;
