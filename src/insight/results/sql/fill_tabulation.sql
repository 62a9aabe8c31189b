-- Adds the responses among the next 1,000 events to the cells of a tabulation that was declared after
-- them, or removes up to 5,000 amounts of one that is no longer declared. It returns whether that was
-- all.
CREATE OR REPLACE FUNCTION fill_tabulation(company uuid, campaign_of bigint, number_of smallint)
RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  batch CONSTANT integer := 1000;
  removed_at_once CONSTANT integer := 5000;
  wanted tabulation;
  post text;
  up_to bigint;
  own record;
  gone integer;
BEGIN
  PERFORM lock_tally(company);
  SELECT * INTO wanted FROM tabulation AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.number = number_of;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  IF wanted.removed THEN
    DELETE FROM tally AS t USING (
      SELECT o.version, o.cell, o.kind, o.item, o.key FROM tally AS o
      WHERE o.company_id = company AND o.campaign_id = campaign_of
        AND o.cell BETWEEN -(500 * number_of + 499) AND -(500 * number_of)
      LIMIT removed_at_once
    ) AS n
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = n.version
      AND t.cell = n.cell AND t.kind = n.kind AND t.item = n.item AND t.key = n.key;
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone < removed_at_once THEN
      DELETE FROM tabulation AS t
      WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.number = number_of;
    END IF;
    RETURN gone < removed_at_once;
  END IF;
  SELECT c.post_id INTO post FROM campaign AS c WHERE c.company_id = company AND c.id = campaign_of;
  up_to := least(wanted.after_seq, wanted.filled_seq + batch);
  FOR own IN
    SELECT c.number AS column_number, array_agg(campaign_of) AS campaigns,
      array_agg(p.participation_id) AS participations
    FROM (
      SELECT e.subject FROM event AS e
      WHERE e.company_id = company AND e.seq > wanted.filled_seq AND e.seq <= up_to
        AND e.type = 'response.submitted' AND e.changes ->> 'post_id' = post
      UNION ALL
      SELECT a.participation_id FROM archived_submission AS a
      WHERE a.company_id = company AND a.campaign_id = campaign_of
        AND a.seq > wanted.filled_seq AND a.seq <= up_to
    ) AS n
    CROSS JOIN LATERAL (
      SELECT o.participation_id, o.question_set_version, o.answers, o.cells FROM participation AS o
      WHERE o.company_id = company AND o.campaign_id = campaign_of
        AND o.participation_id = n.subject AND o.state = 'submitted' AND o.answers IS NOT NULL
      LIMIT 1
    ) AS p
    CROSS JOIN LATERAL (
      SELECT g.questions FROM question_set AS g
      WHERE g.company_id = company AND g.campaign_id = campaign_of
        AND g.version = p.question_set_version
      LIMIT 1
    ) AS s
    CROSS JOIN LATERAL unnest(tabulated_columns(company, campaign_of, wanted.variables,
      s.questions, p.answers::jsonb, p.cells)) AS c (number)
    GROUP BY c.number
  LOOP
    PERFORM add_to_tally(company, own.campaigns, own.participations, false,
      (-(500 * number_of + own.column_number))::smallint);
  END LOOP;
  UPDATE tabulation AS t SET filled_seq = up_to
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.number = number_of;
  RETURN up_to = wanted.after_seq;
END $$;
