-- Takes erased participations out of their cells, and forgets which these were. The caller has locked
-- the participations. It comes last in the transaction of an erasure, because it locks the campaigns,
-- in the order of their identifiers.
CREATE OR REPLACE FUNCTION erase_cells(
  company uuid, campaigns bigint[], participations uuid[]
) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN
    SELECT c.campaign_id, array_agg(c.cell) AS cells, array_agg(c.opened) AS opened,
      array_agg(c.answered) AS answered
    FROM (
      SELECT p.campaign_id, u.cell, (count(*) FILTER (WHERE p.state = 'open'))::integer AS opened,
        (count(*) FILTER (WHERE p.state = 'submitted'))::integer AS answered
      FROM participation AS p CROSS JOIN LATERAL unnest(p.cells) AS u (cell)
      WHERE p.company_id = company AND p.campaign_id = ANY (campaigns)
        AND p.participation_id = ANY (participations)
      GROUP BY p.campaign_id, u.cell
    ) AS c
    GROUP BY c.campaign_id ORDER BY c.campaign_id
  LOOP
    PERFORM 1 FROM campaign AS o WHERE o.company_id = company AND o.id = counted.campaign_id
    FOR NO KEY UPDATE;
    UPDATE participation AS p SET cells = NULL
    WHERE p.company_id = company AND p.campaign_id = counted.campaign_id
      AND p.participation_id = ANY (participations);
    PERFORM leave_cells(company, counted.campaign_id, counted.cells, counted.opened,
      counted.answered);
  END LOOP;
END $$;
