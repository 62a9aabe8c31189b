-- Keeps the tally of a campaign by its banners and margins from now on, and no longer by what it had
-- before. What is in the tally already is filled in by fill_tabulation. The caller holds the lock of
-- the tally, which has every event up to "reached".
CREATE OR REPLACE FUNCTION declare_tabulations(company uuid, campaign_of bigint, reached bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  declared jsonb;
  wanted jsonb;
  is_empty boolean;
BEGIN
  SELECT coalesce((
      SELECT jsonb_agg(jsonb_build_array(jsonb_build_object('question', b.key)))
      FROM jsonb_array_elements_text(c.banners) AS b (key)
    ), '[]') || coalesce((
      SELECT jsonb_build_array(jsonb_agg(CASE
        WHEN m.margin ? 'question' THEN jsonb_build_object('question', m.margin -> 'question')
        ELSE jsonb_build_object('quotas', (
          SELECT jsonb_agg(s.name ORDER BY s.name COLLATE "C")
          FROM jsonb_object_keys(m.margin -> 'shares') AS s (name)
        ))
      END ORDER BY m.position))
      FROM jsonb_array_elements(c.margins) WITH ORDINALITY AS m (margin, position)
      HAVING count(*) > 0
    ), '[]')
  INTO declared
  FROM campaign AS c WHERE c.company_id = company AND c.id = campaign_of;
  UPDATE tabulation AS t SET removed = true
  WHERE t.company_id = company AND t.campaign_id = campaign_of
    AND NOT declared @> jsonb_build_array(t.variables);
  is_empty := NOT EXISTS (
    SELECT FROM tally AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.kind = 'submitted'
  );
  FOR wanted IN SELECT d.variables FROM jsonb_array_elements(declared) AS d (variables) LOOP
    INSERT INTO tabulation (company_id, campaign_id, number, variables, after_seq, filled_seq)
    SELECT company, campaign_of, n.number, wanted, reached,
      CASE WHEN is_empty THEN reached ELSE 0 END
    FROM generate_series(1, 64) AS n (number)
    WHERE NOT EXISTS (
      SELECT FROM tabulation AS t
      WHERE t.company_id = company AND t.campaign_id = campaign_of
        AND (t.number = n.number OR NOT t.removed AND t.variables = wanted)
    )
    ORDER BY n.number LIMIT 1;
  END LOOP;
END $$;
