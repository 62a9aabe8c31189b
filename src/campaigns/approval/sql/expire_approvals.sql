-- Stores that requests of a company were not approved in time.
CREATE OR REPLACE FUNCTION expire_approvals(company uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a approval%ROWTYPE;
  ended timestamptz(3);
  expired uuid;
  moment timestamptz := clock_timestamp();
BEGIN
  FOR a IN
    SELECT * FROM approval AS o
    WHERE o.company_id = company AND o.state = 'pending' AND o.expires_at <= moment
    FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    ended := a.expires_at;
    expired := a.approval_id;
    UPDATE approval AS o SET state = 'expired', decided_at = ended, place = NULL
    WHERE o.company_id = company AND o.approval_id = expired;
    PERFORM record_approval_event(a, 2, 'approval.expired', 'service', '{}', moment);
  END LOOP;
END $$;
