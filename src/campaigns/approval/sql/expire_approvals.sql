-- Stores that requests of a company were not approved in time.
CREATE OR REPLACE FUNCTION expire_approvals(company uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  a approval%ROWTYPE;
  moment timestamptz := clock_timestamp();
BEGIN
  FOR a IN
    SELECT * FROM approval AS o
    WHERE o.company_id = company AND o.state = 'pending' AND o.expires_at <= moment
    ORDER BY o.approval_id
    FOR NO KEY UPDATE
  LOOP
    PERFORM close_approval(a, 'expired', NULL, a.expires_at, 'service', moment);
  END LOOP;
END $$;
