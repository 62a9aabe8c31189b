-- The cells of tabulations that a response counts in: -(500 number + column) for each column of each
-- of them. While one is being filled, a response that was in the tally before is in it only as far as
-- it is filled; which it is, its submission's number says.
CREATE OR REPLACE FUNCTION tabulated_cells(company uuid, campaign_of bigint, participation_of uuid)
RETURNS TABLE (cell smallint) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT (-(500 * t.number + c.number))::smallint
  FROM participation AS p
  JOIN question_set AS s ON s.company_id = company AND s.campaign_id = campaign_of
    AND s.version = p.question_set_version
  JOIN tabulation AS t ON t.company_id = company AND t.campaign_id = campaign_of
    AND NOT t.removed
  CROSS JOIN LATERAL unnest(tabulated_columns(company, campaign_of, t.variables, s.questions,
    p.answers::jsonb, p.cells)) AS c (number)
  WHERE p.company_id = company AND p.campaign_id = campaign_of
    AND p.participation_id = participation_of AND p.state = 'submitted' AND p.answers IS NOT NULL
    AND (t.filled_seq = t.after_seq OR NOT coalesce((
      SELECT e.seq FROM event AS e
      WHERE e.company_id = company AND e.subject = participation_of AND e.version = 1
    ), (
      SELECT a.seq FROM archived_submission AS a
      WHERE a.company_id = company AND a.participation_id = participation_of
    )) BETWEEN t.filled_seq + 1 AND t.after_seq);
END $$;
