-- Adds what submitted responses contribute, as they are now, to the tally, or takes it out. The caller
-- holds its lock. The amounts are read first and then written, so that a cluster runs each statement
-- on one node.
--
-- kind       item              key               amount
-- submitted                                      1, whatever came of it
-- reversed                                       1
-- paid                                           the reward, unless it was taken back
-- hour       submitted, paid   hours since 1970  the same, in version 0
-- Only of responses with answers that are not reversed:
-- counted                                        1
-- attention                    sum, squares      the attention score, its square
-- seconds                      bucket            1
-- measured   signal                              1, of a response that has the signal of quality
-- flagged    signal                              1, of a response that it flags
-- answered   question, image                     1
-- option     question          option            1; also what an nps or a checkbox was answered with
-- hidden     question                           1, of a response to which it was not shown
-- offered    question          option            1, of an answer where an option with conditions of
--                                                a choice or a matrix was shown
-- other, comment  question                      1, of an answer with that text
-- right      question                           1, of an answer that is correct
-- value, date, order  question  coarse_key      1, of a number, a date or a ranking
-- rank       question          option            its place in a ranking
-- first      question          option            1, of a ranking that begins with it
-- coarse     question                           the level of its keys, for every cohort
-- preferred                    image             1, of a binary survey
-- rating     image, question   sum, squares      the rating or the number, its square
-- rated      image, question   step              1, of a rating
-- win        image             the other image   1
-- tie, skip  lower image       the other image   1
-- decided                      responses         1, of a response without ties and skips
-- decided                      squares           (wins of each image)²
-- product    image             image             (wins of the one) x (wins of the other); a tie
--                                                and a skip are half a win for both
-- A row of a matrix is an item too: the position of the question, a dot, and that of the row.
--
-- A response that is neither reversed nor erased is also added, but for its hour, to the amounts of
-- each cell of a quota that it counts in: in_cell is 0 for the amounts of all responses. A reversal and
-- an erasure take it out of its cells, so nothing of it is added to them again. So are those of the
-- campaign's tabulations, whose numbers are negative: see tabulated_cells.
CREATE OR REPLACE FUNCTION add_to_tally(
  company uuid, campaigns bigint[], participations uuid[], is_removal boolean,
  in_cell smallint DEFAULT 0
) RETURNS void LANGUAGE plpgsql
SET jit = off SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  sums record;
  typed record;
  touched record;
  own record;
BEGIN
  WITH chosen AS MATERIALIZED (
    SELECT n.campaign_id, coalesce(p.question_set_version, 0) AS version, n.participation_id,
      p.cohort, p.reward, p.attention_score, p.state = 'reversed' AS is_reversed,
      floor(extract(epoch FROM p.closed_at) / 3600)::bigint::text AS hour,
      time_bucket(extract(epoch FROM p.closed_at - p.begun_at)::double precision)::text AS bucket,
      p.answers, p.quality_flags,
      (p.answer_percentile IS NOT NULL)::integer + 2 * (p.longest_run IS NOT NULL)::integer
        + 4 * (p.consistency IS NOT NULL)::integer
        + 8 * (p.text_repeats IS NOT NULL)::integer AS measured, p.cells
    FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
    CROSS JOIN LATERAL (
      SELECT o.question_set_version, o.cohort, o.reward, o.attention_score, o.state, o.begun_at,
        o.closed_at, o.answer_percentile, o.longest_run, o.consistency, o.text_repeats,
        o.quality_flags, o.cells,
        CASE WHEN o.state = 'submitted' THEN o.answers::jsonb END AS answers
      FROM participation AS o
      WHERE o.company_id = company AND o.campaign_id = n.campaign_id
        AND o.participation_id = n.participation_id
      LIMIT 1
    ) AS p
    WHERE p.reward IS NOT NULL
  ), asked AS MATERIALIZED (
    SELECT s.campaign_id, s.version, c.format, c.image_survey -> 'scale' AS scale,
      coalesce(t.types, '{}') AS types, t.is_typed,
      c.image_survey ?| '{allow_ties,allow_skips}' AS is_undecidable
    FROM (SELECT DISTINCT campaign_id, version FROM chosen) AS s
    CROSS JOIN LATERAL (
      SELECT g.format, g.image_survey FROM campaign AS g
      WHERE g.company_id = company AND g.id = s.campaign_id LIMIT 1
    ) AS c
    LEFT JOIN LATERAL (
      SELECT g.questions FROM question_set AS g
      WHERE g.company_id = company AND g.campaign_id = s.campaign_id AND g.version = s.version
      LIMIT 1
    ) AS o ON true
    CROSS JOIN LATERAL (
      -- Whether there is more to count than the four first types have: see typed_amounts.
      SELECT array_agg(q.question ->> 'type' ORDER BY q.position) AS types, bool_or(
        q.question ->> 'type' NOT IN ('descriptive', 'text', 'single_choice', 'multiple_choice')
        OR q.question ?| '{show_if,comment,correct}' OR q.question -> 'options' @> '[{"other": true}]'
        OR q.question -> 'options' @> '[{"show_if": {}}]'
      ) AS is_typed
      FROM jsonb_array_elements(o.questions) WITH ORDINALITY AS q (question, position)
    ) AS t
  ), answer AS MATERIALIZED (
    SELECT d.campaign_id, d.version, d.participation_id, d.cohort,
      coalesce(a ->> 'question', a ->> 'image', '') AS item,
      s.types[(a ->> 'question')::integer] AS type, a -> 'images' AS images, a -> 'value' AS value
    FROM chosen AS d
    JOIN asked AS s ON s.campaign_id = d.campaign_id AND s.version = d.version
    CROSS JOIN LATERAL jsonb_array_elements(d.answers) AS a
  ), given AS MATERIALIZED (
    -- The answers that are equal; those to a question of another type have no value here.
    SELECT g.campaign_id, g.version, g.cohort, g.item, g.images, g.value, g.n, s.types, s.format,
      s.scale
    FROM (
      SELECT a.campaign_id, a.version, a.cohort, a.item, a.images,
        CASE WHEN a.type IS NULL OR a.type = 'single_choice' THEN a.value END AS value,
        count(*) AS n
      FROM answer AS a GROUP BY 1, 2, 3, 4, 5, 6
    ) AS g
    JOIN asked AS s ON s.campaign_id = g.campaign_id AND s.version = g.version
  ), won AS MATERIALIZED (
    SELECT w.campaign_id, w.cohort, array_agg(w.image) AS images, array_agg(w.wins) AS wins,
      bool_and(w.is_decided) AS is_decided
    FROM (
      SELECT h.campaign_id, h.cohort, h.participation_id, h.image, sum(h.wins) AS wins,
        bool_and(h.is_decided) AS is_decided
      FROM (
        SELECT a.campaign_id, a.cohort, a.participation_id, (a.value)::integer AS image,
          count(*)::numeric AS wins, true AS is_decided
        FROM answer AS a WHERE a.images IS NOT NULL AND jsonb_typeof(a.value) = 'number'
        GROUP BY a.campaign_id, a.cohort, a.participation_id, a.value
        UNION ALL
        SELECT a.campaign_id, a.cohort, a.participation_id, i.image::integer, 0.5 * count(*), false
        FROM answer AS a CROSS JOIN LATERAL jsonb_array_elements_text(a.images) AS i (image)
        WHERE a.images IS NOT NULL AND jsonb_typeof(a.value) = 'string'
        GROUP BY a.campaign_id, a.cohort, a.participation_id, i.image
      ) AS h
      GROUP BY h.campaign_id, h.cohort, h.participation_id, h.image
    ) AS w
    GROUP BY w.campaign_id, w.cohort, w.participation_id
  ), amount (campaign_id, version, cohort, kind, item, key, n) AS (
    SELECT d.campaign_id, v.version, d.cohort, v.kind, v.item, v.key, v.n
    FROM (
      SELECT campaign_id, version, cohort, hour, count(*) AS submitted,
        count(*) FILTER (WHERE is_reversed) AS reversed,
        coalesce(sum(reward) FILTER (WHERE NOT is_reversed), 0) AS paid,
        count(answers) AS counted,
        coalesce(sum(attention_score) FILTER (WHERE answers IS NOT NULL), 0) AS attention,
        coalesce(sum(attention_score ^ 2) FILTER (WHERE answers IS NOT NULL), 0) AS squares
      FROM chosen GROUP BY 1, 2, 3, 4
    ) AS d
    CROSS JOIN LATERAL (VALUES
      (d.version, 'submitted', '', '', d.submitted::numeric),
      (d.version, 'reversed', '', '', d.reversed),
      (d.version, 'paid', '', '', d.paid),
      (0, 'hour', 'submitted', d.hour, d.submitted),
      (0, 'hour', 'paid', d.hour, d.paid),
      (d.version, 'counted', '', '', d.counted),
      (d.version, 'attention', '', 'sum', d.attention),
      (d.version, 'attention', '', 'squares', d.squares)
    ) AS v (version, kind, item, key, n)
    WHERE v.n <> 0 AND (in_cell = 0 OR v.kind <> 'hour')
    UNION ALL
    SELECT d.campaign_id, d.version, d.cohort, 'seconds', '', d.bucket, count(*)
    FROM chosen AS d WHERE d.answers IS NOT NULL
    GROUP BY d.campaign_id, d.version, d.cohort, d.bucket
    UNION ALL
    SELECT d.campaign_id, d.version, d.cohort, v.kind, s.signal, '', d.n
    FROM (
      SELECT campaign_id, version, cohort, measured, quality_flags, count(*) AS n
      FROM chosen WHERE answers IS NOT NULL GROUP BY 1, 2, 3, 4, 5
    ) AS d
    -- The bits of QUALITY_SIGNALS in quality.rules.ts.
    CROSS JOIN (VALUES
      ('fast', 1), ('straight_lining', 2), ('inconsistent', 4), ('repeated_text', 8)
    ) AS s (signal, bit)
    CROSS JOIN LATERAL (VALUES ('measured', d.measured), ('flagged', d.quality_flags))
      AS v (kind, bits)
    WHERE v.bits & s.bit <> 0
    UNION ALL
    SELECT g.campaign_id, g.version, g.cohort, v.kind, g.item, v.key, g.n
    FROM given AS g
    CROSS JOIN LATERAL (VALUES
      ('answered', '', g.format IS DISTINCT FROM 'binary' OR g.value <> '"skip"'),
      ('option', g.value #>> '{}', g.types <> '{}' AND g.value IS NOT NULL),
      ('preferred', g.value #>> '{}', g.format = 'binary')
    ) AS v (kind, key, applies)
    WHERE g.images IS NULL AND v.applies
    UNION ALL
    SELECT a.campaign_id, a.version, a.cohort, 'option', a.item, o.option, count(*)
    FROM answer AS a CROSS JOIN LATERAL jsonb_array_elements_text(a.value) AS o (option)
    WHERE a.type = 'multiple_choice'
    GROUP BY a.campaign_id, a.version, a.cohort, a.item, o.option
    UNION ALL
    SELECT g.campaign_id, g.version, g.cohort, v.kind, g.item, v.key, v.n
    FROM given AS g
    CROSS JOIN LATERAL (
      SELECT g.value::numeric AS rating, (g.scale ->> 'min')::numeric AS least,
        rating_step(g.scale) AS width
    ) AS r
    CROSS JOIN LATERAL (VALUES
      ('rating', 'sum', g.n * r.rating),
      ('rating', 'squares', g.n * r.rating ^ 2),
      ('rated', trim_scale(r.least + r.width * floor((r.rating - r.least) / r.width))::text, g.n)
    ) AS v (kind, key, n)
    WHERE g.format = 'image_slider'
    UNION ALL
    SELECT g.campaign_id, g.version, g.cohort, 'win', g.value::text,
      ((g.images -> 0)::integer + (g.images -> 1)::integer - g.value::integer)::text, g.n
    FROM given AS g WHERE g.images IS NOT NULL AND jsonb_typeof(g.value) = 'number'
    UNION ALL
    SELECT g.campaign_id, g.version, g.cohort, g.value #>> '{}', g.images ->> 0, g.images ->> 1, g.n
    FROM given AS g WHERE g.images IS NOT NULL AND jsonb_typeof(g.value) = 'string'
    UNION ALL
    SELECT w.campaign_id, 0, w.cohort, 'decided', '', v.key, sum(v.n)
    FROM won AS w
    JOIN asked AS s ON s.campaign_id = w.campaign_id AND s.version = 0 AND s.is_undecidable
    CROSS JOIN LATERAL (
      SELECT sum(n.wins ^ 2) AS squares FROM unnest(w.wins) AS n (wins)
    ) AS q
    CROSS JOIN LATERAL (VALUES ('responses', 1::numeric), ('squares', q.squares)) AS v (key, n)
    WHERE w.is_decided
    GROUP BY w.campaign_id, w.cohort, v.key
    UNION ALL
    SELECT w.campaign_id, 0, w.cohort, 'product', a.image::text, b.image::text,
      sum(a.wins * b.wins)
    FROM won AS w
    CROSS JOIN LATERAL unnest(w.images, w.wins) AS a (image, wins)
    CROSS JOIN LATERAL unnest(w.images, w.wins) AS b (image, wins)
    GROUP BY w.campaign_id, w.cohort, a.image, b.image
  ), total AS (
    SELECT campaign_id, version, kind, item, key,
      coalesce(sum(n) FILTER (WHERE cohort = 1), 0) AS cohort_1,
      coalesce(sum(n) FILTER (WHERE cohort = 2), 0) AS cohort_2,
      coalesce(sum(n) FILTER (WHERE cohort = 3), 0) AS cohort_3,
      coalesce(sum(n) FILTER (WHERE cohort = 4), 0) AS cohort_4,
      coalesce(sum(n) FILTER (WHERE cohort = 5), 0) AS cohort_5
    FROM amount GROUP BY campaign_id, version, kind, item, key
  )
  SELECT array_agg(campaign_id) AS campaign_id, array_agg(version) AS version,
    array_agg(kind) AS kind, array_agg(item) AS item, array_agg(key) AS key,
    array_agg(cohort_1) AS cohort_1, array_agg(cohort_2) AS cohort_2,
    array_agg(cohort_3) AS cohort_3, array_agg(cohort_4) AS cohort_4,
    array_agg(cohort_5) AS cohort_5, (SELECT bool_or(s.is_typed) FROM asked AS s) AS is_typed,
    (SELECT bool_or(d.cells IS NOT NULL) FROM chosen AS d) AS has_cells
  INTO sums FROM total;

  PERFORM write_tally(company, in_cell, sums.campaign_id, sums.version, sums.kind, sums.item,
    sums.key, sums.cohort_1, sums.cohort_2, sums.cohort_3, sums.cohort_4, sums.cohort_5,
    is_removal);
  IF sums.is_typed THEN
    SELECT array_agg(m.campaign_id) AS campaign_id, array_agg(m.version) AS version,
      array_agg(m.kind) AS kind, array_agg(m.item) AS item, array_agg(m.key) AS key,
      array_agg(m.cohort_1) AS cohort_1, array_agg(m.cohort_2) AS cohort_2,
      array_agg(m.cohort_3) AS cohort_3, array_agg(m.cohort_4) AS cohort_4,
      array_agg(m.cohort_5) AS cohort_5
    INTO typed FROM typed_amounts(company, in_cell, campaigns, participations) AS m;
    PERFORM write_tally(company, in_cell, typed.campaign_id, typed.version, typed.kind, typed.item,
      typed.key, typed.cohort_1, typed.cohort_2, typed.cohort_3, typed.cohort_4, typed.cohort_5,
      is_removal);
  END IF;
  IF in_cell <> 0 THEN
    RETURN;
  END IF;
  FOR touched IN
    SELECT a.campaign_id, a.version
    FROM unnest(sums.campaign_id, sums.version, sums.kind) AS a (campaign_id, version, kind)
    WHERE a.kind = 'counted'
  LOOP
    PERFORM refresh_answer_times(company, touched.campaign_id, touched.version, is_removal);
  END LOOP;
  IF sums.has_cells THEN
    FOR own IN
      SELECT u.cell, array_agg(n.campaign_id) AS campaigns,
        array_agg(n.participation_id) AS participations
      FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
      CROSS JOIN LATERAL (
        SELECT o.cells FROM participation AS o
        WHERE o.company_id = company AND o.campaign_id = n.campaign_id
          AND o.participation_id = n.participation_id
          AND o.state = 'submitted' AND o.answers IS NOT NULL
        LIMIT 1
      ) AS p
      CROSS JOIN LATERAL unnest(p.cells) AS u (cell)
      GROUP BY u.cell
    LOOP
      PERFORM add_to_tally(company, own.campaigns, own.participations, is_removal, own.cell);
    END LOOP;
  END IF;
  IF EXISTS (
    SELECT FROM tabulation AS t WHERE t.company_id = company AND t.campaign_id = ANY (campaigns)
  ) THEN
    FOR own IN
      SELECT c.cell, array_agg(n.campaign_id) AS campaigns,
        array_agg(n.participation_id) AS participations
      FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
      CROSS JOIN LATERAL tabulated_cells(company, n.campaign_id, n.participation_id) AS c
      GROUP BY c.cell
    LOOP
      PERFORM add_to_tally(company, own.campaigns, own.participations, is_removal, own.cell);
    END LOOP;
  END IF;
END $$;
