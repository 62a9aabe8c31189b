-- Replaces the rules of whom a campaign asks, and gives each of its quotas a cell: a quota keeps the
-- cell and the counts of the current or removed one with its name. Returns the campaign's identifier,
-- null if the company has no such campaign; the positions, from 0, of the limits that are below what
-- is taken; and the new version. The version is null, and nothing changes, if there are such limits,
-- if the campaign's version is not one of "expected", or if a start or an end has come, which is
-- stored first.
--
-- Whoever counts in a cell has the campaign locked, so the counts that are compared here stay.
CREATE OR REPLACE FUNCTION replace_targeting(
  company uuid, post text, caller text, expected integer[], content jsonb, audience jsonb, names text[],
  maximums integer[], ids uuid[],
  OUT campaign_of bigint, OUT below integer[], OUT rules integer, OUT campaign_version integer,
  OUT stored_at timestamptz
) LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  before campaign%ROWTYPE;
  after campaign%ROWTYPE;
  counts integer[];
  limits integer[];
  known text[];
  free smallint[];
  used integer;
  cells_of smallint[];
BEGIN
  SELECT c.id INTO campaign_of FROM campaign AS c
  WHERE c.company_id = company AND c.post_id = post
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT g.taken INTO counts FROM cell_counts AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  SELECT array_agg(n.position - 1 ORDER BY n.position) INTO below
  FROM unnest(names, maximums) WITH ORDINALITY AS n (name, maximum, position)
  JOIN quota_cell AS q ON q.company_id = company AND q.campaign_id = campaign_of
    AND q.name = n.name AND counts[q.cell] > n.maximum;
  IF below IS NOT NULL THEN
    RETURN;
  END IF;
  UPDATE campaign AS c
  SET targeting_version = coalesce(c.targeting_version, 0) + 1, updated_by = caller
  WHERE c.company_id = company AND c.id = campaign_of
    AND (expected IS NULL OR c.version = ANY (expected))
  RETURNING c.targeting_version, c.version INTO rules, campaign_version;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  UPDATE quota_cell AS q SET maximum = NULL, filled = false
  WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.name <> ALL (names);
  DELETE FROM quota_cell AS q
  WHERE q.company_id = company AND q.campaign_id = campaign_of
    AND q.maximum IS NULL AND counts[q.cell] = 0 AND NOT q.kept AND q.name <> ALL (names);
  UPDATE quota_cell AS q SET maximum = n.maximum
  FROM unnest(names, maximums) AS n (name, maximum)
  WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.name = n.name;
  SELECT coalesce(array_agg(q.name), '{}'), count(*) INTO known, used FROM quota_cell AS q
  WHERE q.company_id = company AND q.campaign_id = campaign_of;
  IF used + cardinality(names) > 32767 THEN
    RAISE EXCEPTION 'too many cells violate constraint "quota_cell_number"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'quota_cell_number';
  END IF;
  -- The lowest free numbers are among so many.
  SELECT array_agg(g.cell ORDER BY g.cell) INTO free
  FROM generate_series(1, used + cardinality(names)) AS g (cell)
  WHERE NOT EXISTS (
    SELECT FROM quota_cell AS q
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = g.cell
  );
  INSERT INTO quota_cell (company_id, campaign_id, cell, quota_id, name, maximum)
  SELECT company, campaign_of, free[n.place], n.id, n.name, n.maximum
  FROM (
    SELECT o.*, row_number() OVER (ORDER BY o.position) AS place
    FROM unnest(names, maximums, ids) WITH ORDINALITY AS o (name, maximum, id, position)
    WHERE o.name <> ALL (known)
  ) AS n;
  SELECT array_agg(coalesce(counts[n.cell], 0) ORDER BY n.cell),
    array_agg(q.maximum ORDER BY n.cell)
  INTO counts, limits
  FROM generate_series(1, (
    SELECT max(o.cell) FROM quota_cell AS o
    WHERE o.company_id = company AND o.campaign_id = campaign_of
  )) AS n (cell)
  LEFT JOIN quota_cell AS q ON q.company_id = company AND q.campaign_id = campaign_of
    AND q.cell = n.cell;
  INSERT INTO cell_counts AS g (company_id, campaign_id, taken, maximums)
  VALUES (company, campaign_of, coalesce(counts, '{}'), coalesce(limits, '{}'))
  ON CONFLICT (company_id, campaign_id) DO UPDATE
  SET taken = excluded.taken, maximums = excluded.maximums;
  SELECT array_agg(q.cell ORDER BY n.position) INTO cells_of
  FROM unnest(names) WITH ORDINALITY AS n (name, position)
  JOIN quota_cell AS q ON q.company_id = company AND q.campaign_id = campaign_of
    AND q.name = n.name;
  stored_at := date_trunc('milliseconds', clock_timestamp());
  INSERT INTO targeting (company_id, campaign_id, version, content, audience, created_at, cells)
  VALUES (company, campaign_of, rules, content, audience, stored_at, coalesce(cells_of, '{}'));
  PERFORM record_quotas(company, campaign_of);
  SELECT * INTO after FROM campaign AS c WHERE c.company_id = company AND c.id = campaign_of;
  IF after.is_live OR after.due_at = after.starts_at THEN
    -- What is paid to those who do not qualify is part of what it can cost.
    before := after;
    before.targeting_version := nullif(rules - 1, 0);
    PERFORM charge_campaign(before, after, caller);
  END IF;
END $$;
