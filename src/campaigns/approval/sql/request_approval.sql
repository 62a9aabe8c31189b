-- Stores a request of a key that waits for its account, for 72 hours. The same request again finds the
-- first one. "refusal" says why nothing waits: it was refused, or too many wait.
CREATE OR REPLACE FUNCTION request_approval(
  company uuid, approval uuid, key text, operation text, body text, hash bytea,
  campaign_of bigint, version_of integer, currency_of text, commits_of numeric, adds_of numeric,
  OUT asked approval, OUT refusal text
) LANGUAGE plpgsql AS $$
DECLARE
  old approval%ROWTYPE;
  free smallint;
  moment timestamptz(3);
BEGIN
  -- What waits for earlier versions of the campaign can never be carried out.
  FOR old IN
    SELECT * FROM approval AS a
    WHERE a.company_id = company AND a.state = 'pending' AND a.campaign_id = campaign_of
      AND a.version < version_of
    ORDER BY a.approval_id
    FOR NO KEY UPDATE
  LOOP
    moment := clock_timestamp();
    PERFORM close_approval(old, 'outdated', NULL, moment, 'service', moment);
  END LOOP;
  LOOP
    -- It waits for whoever decides about one of them, so that each pass sees what came of it.
    PERFORM expire_approvals(company);
    moment := date_trunc('milliseconds', clock_timestamp());
    SELECT * INTO asked FROM approval AS a
    WHERE a.company_id = company AND a.request_hash = hash AND a.state IN ('pending', 'refused')
      AND a.expires_at > moment
    ORDER BY a.approval_id DESC LIMIT 1;
    IF FOUND THEN
      refusal := CASE asked.state WHEN 'refused' THEN 'refused' END;
      RETURN;
    END IF;
    SELECT min(n) INTO free FROM generate_series(1, 50) AS n
    WHERE n NOT IN (
      SELECT a.place FROM approval AS a WHERE a.company_id = company AND a.state = 'pending'
    );
    IF free IS NULL THEN
      refusal := 'too_many';
      RETURN;
    END IF;
    -- Another request may take the place at the same moment.
    INSERT INTO approval AS a (company_id, approval_id, place, key_id, operation, body, request_hash,
      campaign_id, version, currency, commits, adds, requested_at, expires_at)
    VALUES (company, approval, free, stored_id(key), operation, body, hash, campaign_of, version_of,
      currency_of, commits_of, adds_of, moment, moment + interval '72 hours')
    ON CONFLICT DO NOTHING
    RETURNING * INTO asked;
    IF FOUND THEN
      PERFORM record_approval_event(asked, 1, 'approval.requested', key,
        jsonb_build_object('commits', commits_of, 'adds', adds_of,
          'expires_at', json_time(asked.expires_at)),
        moment);
      RETURN;
    END IF;
  END LOOP;
END $$;
