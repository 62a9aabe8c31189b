-- Gives back the places and the money of open participations. The caller has locked them.
CREATE OR REPLACE FUNCTION release_participations(
  company uuid, campaign_of bigint, released uuid[], outcome text, moment timestamptz
) RETURNS void LANGUAGE plpgsql
-- Plans for these parameters take longer to make than to run. A plan that was made while a table was
-- small must not scan it when it has grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  c campaign%ROWTYPE;
  total numeric;
  own_cells smallint[];
  numbers integer[];
  abandonments integer := CASE outcome WHEN 'abandoned' THEN cardinality(released) ELSE 0 END;
BEGIN
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  IF c.targeting_version IS NOT NULL THEN
    SELECT array_agg(n.cell), array_agg(n.number) INTO own_cells, numbers FROM (
      SELECT u.cell, count(*)::integer AS number
      FROM participation AS p CROSS JOIN LATERAL unnest(p.cells) AS u (cell)
      WHERE p.company_id = company AND p.campaign_id = campaign_of
        AND p.participation_id = ANY (released)
      GROUP BY u.cell
    ) AS n;
    IF own_cells IS NOT NULL THEN
      PERFORM leave_cells(company, campaign_of, own_cells, numbers,
        array_fill(0, ARRAY[cardinality(own_cells)]));
    END IF;
  END IF;
  WITH closed AS (
    UPDATE participation AS p SET state = outcome, closed_at = moment, cells = NULL
    WHERE p.company_id = company AND p.campaign_id = campaign_of
      AND p.participation_id = ANY (released)
    RETURNING p.company_id, p.campaign_id, p.participation_id, p.held
  ), booked AS (
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
    SELECT o.company_id, o.campaign_id, o.participation_id, 'release', o.held FROM closed AS o
  )
  SELECT sum(o.held) INTO total FROM closed AS o;
  UPDATE campaign_progress AS g
  SET taken = g.taken - cardinality(released), held = g.held - total,
    abandoned = g.abandoned + abandonments,
    expired = g.expired + cardinality(released) - abandonments
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF c.max_responses IS NOT NULL OR c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
END $$;
