-- The number of the last event of a company that nothing reads any more: it is in the tally, the
-- guardrails and every endpoint have read it, enabled or not, and no delivery of it is left. It is 0
-- if there is none. An endpoint that has been disabled since before "abandoned" is not waited for.
CREATE OR REPLACE FUNCTION archivable_seq(company uuid, abandoned timestamptz DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
  folded bigint;
  watched bigint;
  claimed bigint;
  delivered bigint;
BEGIN
  SELECT s.last_seq INTO last FROM event_sequence AS s WHERE s.company_id = company;
  SELECT t.folded_seq INTO folded FROM tally_position AS t WHERE t.company_id = company;
  SELECT p.seq INTO watched FROM guardrail_position AS p WHERE p.company_id = company;
  SELECT min(w.claimed_seq) INTO claimed FROM webhook_endpoint AS w
  WHERE w.company_id = company
    AND (w.enabled OR abandoned IS NULL OR w.updated_at >= abandoned);
  -- The first delivery of each endpoint, which the key begins with.
  SELECT min(d.seq) - 1 INTO delivered FROM webhook_endpoint AS w
  CROSS JOIN LATERAL (
    SELECT o.seq FROM webhook_delivery AS o
    WHERE o.company_id = company AND o.webhook_id = w.webhook_id
    ORDER BY o.seq LIMIT 1
  ) AS d
  WHERE w.company_id = company;
  RETURN least(coalesce(last, 0), coalesce(folded, 0), watched, claimed, delivered);
END $$;
