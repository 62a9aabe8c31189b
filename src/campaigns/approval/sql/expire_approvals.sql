-- Stores that requests of a company were not approved in time.
CREATE OR REPLACE FUNCTION expire_approvals(company uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a approval%ROWTYPE;
  moment timestamptz := clock_timestamp();
BEGIN
  FOR a IN
    SELECT * FROM approval AS o
    WHERE o.company_id = company AND o.state = 'pending' AND o.expires_at <= moment
    FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    UPDATE approval AS o SET state = 'expired', decided_at = a.expires_at, place = NULL
    WHERE o.company_id = company AND o.approval_id = a.approval_id;
    PERFORM record_approval_event(a, 2, 'approval.expired', 'service', '{}', moment);
  END LOOP;
END $$;
