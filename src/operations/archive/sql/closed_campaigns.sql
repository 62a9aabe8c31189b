-- Returns which of the campaigns have transfers to archive: campaigns that are not live, in which
-- nobody is answering, and that have not changed since "older". All of their transfers are older.
-- It is null if there is none.
CREATE OR REPLACE FUNCTION closed_campaigns(company uuid, campaigns bigint[], older timestamptz)
RETURNS bigint[] LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_mergejoin = off AS $$
DECLARE
  closed bigint[];
BEGIN
  SELECT array_agg(c.id ORDER BY c.id) INTO closed
  FROM campaign AS c
  JOIN campaign_progress AS g ON g.company_id = company AND g.campaign_id = c.id
  CROSS JOIN LATERAL (
    SELECT t.created_at FROM transfer AS t
    WHERE t.company_id = company AND t.campaign_id + 0 = c.id
    ORDER BY t.created_at DESC LIMIT 1
  ) AS newest
  WHERE c.company_id = company AND c.id = ANY (campaigns)
    AND NOT c.is_live AND c.updated_at < older
    AND g.held = 0 AND g.taken = g.answered AND newest.created_at < older;
  RETURN closed;
END $$;
