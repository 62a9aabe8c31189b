-- PostgreSQL database dump

SELECT pg_catalog.set_config('search_path', '', false);

-- Name: approval_state; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.approval_state AS text
	CONSTRAINT approval_state_known CHECK ((VALUE = ANY (ARRAY['pending'::text, 'approved'::text, 'refused'::text, 'expired'::text, 'outdated'::text])));

-- Name: attention_score; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.attention_score AS numeric(4,2)
	CONSTRAINT participation_attention_score CHECK (((VALUE >= (0)::numeric) AND (VALUE <= (10)::numeric)));

-- Name: bonus_amount; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.bonus_amount AS numeric(12,2)
	CONSTRAINT participation_bonus_positive CHECK ((VALUE > (0)::numeric));

-- Name: bonus_reference; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.bonus_reference AS text
	CONSTRAINT bonus_ref_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 200)));

-- Name: campaign_answer_minutes; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_answer_minutes AS smallint
	CONSTRAINT campaign_limits_range CHECK (((VALUE >= 1) AND (VALUE <= 1440)));

-- Name: campaign_banners; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_banners AS jsonb
	CONSTRAINT campaign_banners CHECK (((VALUE IS NULL) OR ((COALESCE(jsonb_array_length(VALUE), 0) >= 1) AND (COALESCE(jsonb_array_length(VALUE), 0) <= 5))));

-- Name: campaign_budget; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_budget AS numeric(12,2)
	CONSTRAINT campaign_limits_range CHECK (((VALUE > (0)::numeric) AND (VALUE <= (1000000000)::numeric)));

-- Name: campaign_category; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_category AS text
	CONSTRAINT campaign_category_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 100)));

-- Name: campaign_cohort_rewards; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_cohort_rewards AS numeric(12,2)[]
	CONSTRAINT campaign_cohort_1_at_least_3 CHECK (((VALUE)[1] >= (3)::numeric))
	CONSTRAINT campaign_cohort_rewards_range CHECK (((cardinality(VALUE) = 5) AND (array_position(VALUE, NULL::numeric) IS NULL) AND ((0)::numeric <= ALL ((VALUE)[1:4])) AND ((1000000000)::numeric >= ALL ((VALUE)[1:4]))));

-- Name: campaign_content_url; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_content_url AS text
	CONSTRAINT campaign_content_url_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 2048)));

-- Name: campaign_description; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_description AS text
	CONSTRAINT campaign_description_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 5000)));

-- Name: campaign_dispute_share; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_dispute_share AS numeric(4,3)
	CONSTRAINT campaign_limits_range CHECK (((VALUE >= (0)::numeric) AND (VALUE <= (1)::numeric)));

-- Name: campaign_duration; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_duration AS integer
	CONSTRAINT campaign_duration_positive CHECK ((VALUE > 0));

-- Name: campaign_external_ref; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_external_ref AS text
	CONSTRAINT campaign_external_ref_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 200)));

-- Name: campaign_format; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_format AS text
	CONSTRAINT campaign_format_known CHECK ((VALUE = ANY (ARRAY['questionnaire'::text, 'round_robin'::text, 'binary'::text, 'image_slider'::text])));

-- Name: campaign_image_survey; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_image_survey AS jsonb
	CONSTRAINT campaign_image_survey CHECK (((VALUE IS NULL) OR ((COALESCE(jsonb_array_length((VALUE -> 'images'::text)), 0) >= 1) AND (COALESCE(jsonb_array_length((VALUE -> 'images'::text)), 0) <= 20))));

-- Name: campaign_margins; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_margins AS jsonb
	CONSTRAINT campaign_margins CHECK (((VALUE IS NULL) OR ((COALESCE(jsonb_array_length(VALUE), 0) >= 1) AND (COALESCE(jsonb_array_length(VALUE), 0) <= 5))));

-- Name: campaign_max_responses; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_max_responses AS integer
	CONSTRAINT campaign_limits_range CHECK (((VALUE >= 1) AND (VALUE <= 10000000)));

-- Name: campaign_review_days; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_review_days AS smallint
	CONSTRAINT campaign_limits_range CHECK (((VALUE >= 0) AND (VALUE <= 30)));

-- Name: campaign_reward; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_reward AS numeric(12,2)
	CONSTRAINT campaign_reward_amount_range CHECK (((VALUE > (0)::numeric) AND (VALUE <= (1000000000)::numeric)));

-- Name: campaign_tagline; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_tagline AS text
	CONSTRAINT campaign_tagline_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 200)));

-- Name: campaign_title; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_title AS text
	CONSTRAINT campaign_title_length CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 200)));

-- Name: campaign_type; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.campaign_type AS text
	CONSTRAINT campaign_type_known CHECK ((VALUE = ANY (ARRAY['survey'::text, 'advertisement'::text])));

-- Name: cell_count; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.cell_count AS integer
	CONSTRAINT quota_cell_not_negative CHECK ((VALUE >= 0));

-- Name: counter; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.counter AS integer
	CONSTRAINT campaign_progress_not_negative CHECK ((VALUE >= 0));

-- Name: dispute_state; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.dispute_state AS text
	CONSTRAINT dispute_state_known CHECK ((VALUE = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text])));

-- Name: event_type; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.event_type AS text
	CONSTRAINT event_type_known CHECK ((VALUE = ANY (ARRAY['campaign.created'::text, 'campaign.updated'::text, 'campaign.started'::text, 'campaign.stopped'::text, 'campaign.completed'::text, 'campaign.archived'::text, 'campaign.unarchived'::text, 'campaign.questions_replaced'::text, 'campaign.cohort_rewards_updated'::text, 'campaign.targeting_replaced'::text, 'quota.filled'::text, 'quota.reopened'::text, 'api_key.generated'::text, 'api_key.updated'::text, 'api_key.rotated'::text, 'api_key.revoked'::text, 'webhook.tested'::text, 'webhook.disabled'::text, 'response.submitted'::text, 'response.reversed'::text, 'participation.screened_out'::text, 'guardrail.triggered'::text, 'balance.funded'::text, 'balance.refunded'::text, 'balance.low'::text, 'response.bonus_paid'::text, 'dispute.opened'::text, 'dispute.accepted'::text, 'dispute.declined'::text, 'approval.requested'::text, 'approval.approved'::text, 'approval.refused'::text, 'approval.expired'::text, 'approval.outdated'::text])));

-- Name: given_answers; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.given_answers AS text
	CONSTRAINT participation_answers CHECK ((json_typeof((VALUE)::json) = 'array'::text));

-- Name: participation_cells; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.participation_cells AS smallint[]
	CONSTRAINT participation_cells CHECK (((cardinality(VALUE) > 0) AND (array_position(VALUE, NULL::smallint) IS NULL)));

-- Name: participation_state; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.participation_state AS text
	CONSTRAINT participation_state_known CHECK ((VALUE = ANY (ARRAY['open'::text, 'submitted'::text, 'abandoned'::text, 'expired'::text, 'reversed'::text, 'screened_out'::text])));

-- Name: promised_rewards; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.promised_rewards AS numeric(12,2)[]
	CONSTRAINT participation_rewards_complete CHECK (((cardinality(VALUE) = 5) AND (array_position(VALUE, NULL::numeric) IS NULL)));

-- Name: quality_flags; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.quality_flags AS smallint
	CONSTRAINT participation_quality CHECK (((VALUE >= 0) AND (VALUE <= 15)));

-- Name: released_amount; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.released_amount AS numeric(12,2)
	CONSTRAINT transfer_released CHECK ((VALUE >= (0)::numeric));

-- Name: total_amount; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.total_amount AS numeric(20,2)
	CONSTRAINT campaign_progress_not_negative CHECK ((VALUE >= (0)::numeric));

-- Name: transfer_amount; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.transfer_amount AS numeric(12,2)
	CONSTRAINT transfer_amount_positive CHECK ((VALUE > (0)::numeric));

-- Name: transfer_kind; Type: DOMAIN; Schema: public; Owner: -

CREATE DOMAIN public.transfer_kind AS text
	CONSTRAINT transfer_kind CHECK ((VALUE = ANY (ARRAY['hold'::text, 'settle'::text, 'release'::text, 'reverse'::text, 'screen_out'::text, 'bonus'::text])));

-- Name: participation; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.participation (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    platform text NOT NULL,
    respondent bytea,
    question_set_version integer,
    rewards public.promised_rewards NOT NULL,
    held numeric(12,2) NOT NULL,
    state public.participation_state DEFAULT 'open'::text NOT NULL,
    begun_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    closed_at timestamp(3) with time zone,
    attention_score public.attention_score,
    cohort smallint,
    reward numeric(12,2),
    bonus public.bonus_amount,
    submission bytea,
    reversed_at timestamp(3) with time zone,
    reversal_reason text,
    answer_percentile smallint,
    longest_run smallint,
    compared_answers smallint,
    consistency real,
    text_repeats smallint,
    quality_flags public.quality_flags,
    answers public.given_answers,
    text_hash bigint,
    cells public.participation_cells
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');
ALTER TABLE ONLY public.participation ALTER COLUMN answers SET STATISTICS 0;

-- Name: TABLE participation; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.participation IS 'distributed by company_id';

-- Name: abandon_participation(uuid, bigint, uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.abandon_participation(company uuid, campaign_of bigint, participation uuid, OUT part public.participation, OUT became text) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  part.answers := NULL;
  IF part.state = 'open' THEN
    moment := date_trunc('milliseconds', clock_timestamp());
    became := CASE WHEN part.expires_at <= moment THEN 'expired' ELSE 'abandoned' END;
    PERFORM release_participations(company, campaign_of, ARRAY[participation], became, moment);
    SELECT * INTO part FROM participation AS o
    WHERE o.company_id = company AND o.campaign_id = campaign_of
      AND o.participation_id = participation;
  END IF;
END $$;

-- Name: add_refused_begins(uuid, bigint[], text[], text[], bigint[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.add_refused_begins(company uuid, campaigns bigint[], reasons text[], rules text[], numbers bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO refused_begin AS r (company_id, campaign_id, reason, rule, refused)
  SELECT company, n.campaign_id, n.reason, n.rule, n.refused
  FROM unnest(campaigns, reasons, rules, numbers) AS n (campaign_id, reason, rule, refused)
  ON CONFLICT (company_id, campaign_id, reason, rule) DO UPDATE
  SET refused = r.refused + excluded.refused;
END $$;

-- Name: add_to_tally(uuid, bigint[], uuid[], boolean, smallint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.add_to_tally(company uuid, campaigns bigint[], participations uuid[], is_removal boolean, in_cell smallint DEFAULT 0) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
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

-- Name: advance_api_key(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.advance_api_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF (NEW.name, NEW.scopes, NEW.expires_at, NEW.revoked_at, NEW.overlap_ends_at, NEW.replaced_by,
      NEW.spending_limit, NEW.spending_per, NEW.approval_above)
    IS NOT DISTINCT FROM
      (OLD.name, OLD.scopes, OLD.expires_at, OLD.revoked_at, OLD.overlap_ends_at, OLD.replaced_by,
        OLD.spending_limit, OLD.spending_per, OLD.approval_above)
  THEN
    RETURN OLD;
  END IF;
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

-- Name: advance_campaign(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.advance_campaign() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  actor text := NEW.updated_by;
  logged timestamptz;
  -- The rows of a cluster's shards have types of their own.
  before campaign := OLD;
  after campaign;
  rewards_changed boolean;
  limits_changed boolean;
  pending boolean := false;
  ended boolean := false;
  event jsonb;
BEGIN
  IF (OLD.due_at <= moment) = (NEW.due_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  NEW.version := OLD.version;
  NEW.updated_at := OLD.updated_at;
  NEW.updated_by := OLD.updated_by;
  -- What is derived from the others.
  NEW.status := OLD.status;
  NEW.largest_reward := OLD.largest_reward;
  IF NEW IS NOT DISTINCT FROM OLD THEN
    RETURN OLD;
  END IF;

  rewards_changed := NEW.cohort_rewards <> OLD.cohort_rewards;
  limits_changed := (NEW.max_responses, NEW.budget) IS DISTINCT FROM (OLD.max_responses, OLD.budget);
  IF limits_changed OR NEW.exhausted_by IS NOT NULL
    OR (NEW.is_live, NEW.archived, NEW.starts_at, NEW.ends_at, NEW.due_at, NEW.exhausted_by)
      IS DISTINCT FROM
        (OLD.is_live, OLD.archived, OLD.starts_at, OLD.ends_at, OLD.due_at, OLD.exhausted_by)
    OR (NEW.budget IS NOT NULL AND rewards_changed)
  THEN
    IF limits_changed THEN
      INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
      VALUES (NEW.company_id, NEW.id, NEW.max_responses, NEW.budget)
      ON CONFLICT (company_id, campaign_id) DO UPDATE
      SET max_responses = excluded.max_responses, budget = excluded.budget;
    END IF;
    IF limits_changed OR rewards_changed OR NEW.exhausted_by IS NOT NULL
      OR OLD.exhausted_by IS NOT NULL
    THEN
      NEW.exhausted_by := campaign_exhausted_by(NEW.company_id, NEW.id,
        (SELECT max(reward) FROM unnest(NEW.cohort_rewards) AS reward));
    END IF;
    IF NEW.ends_at <= moment AND NEW.starts_at > moment AND NEW.starts_at = OLD.starts_at THEN
      -- The owner ends it before its start, which never comes.
      NEW.starts_at := NULL;
    END IF;
    IF NOT (NEW.is_live OR NEW.archived) AND NEW.exhausted_by IS NULL THEN
      pending := coalesce(
        CASE WHEN NEW.starts_at IS DISTINCT FROM OLD.starts_at
          THEN NEW.starts_at IS NOT NULL AND (NEW.ends_at > moment) IS NOT FALSE
          ELSE OLD.due_at = OLD.starts_at AND NOT OLD.is_live
        END, false);
    END IF;
    IF pending AND NEW.starts_at <= moment THEN
      NEW.is_live := true;
      pending := false;
    ELSIF NEW.ends_at <= moment THEN
      IF NEW.is_live AND NOT OLD.is_live THEN
        -- A condition on the clock, which no constraint can have, under the name of one.
        RAISE EXCEPTION 'an ended campaign violates constraint "campaign_live_unless_ends_at_passed"'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_unless_ends_at_passed';
      END IF;
      NEW.is_live := false;
      pending := false;
      ended := true;
    END IF;
    IF NEW.exhausted_by IS NOT NULL AND OLD.is_live THEN
      NEW.is_live := false;
    END IF;
    IF OLD.due_at = OLD.starts_at AND NEW.starts_at = OLD.starts_at AND NEW.starts_at > moment
      AND NOT (OLD.is_live OR NEW.is_live OR pending)
    THEN
      -- Something else has cancelled its start: the same time, sent again, schedules another one.
      NEW.starts_at := NULL;
    END IF;
    NEW.due_at := CASE
      WHEN ended OR NEW.archived OR NEW.exhausted_by IS NOT NULL THEN NULL
      WHEN pending THEN NEW.starts_at
      ELSE NEW.ends_at
    END;
    IF NEW.is_live THEN
      NEW.stop_reason := NULL;
    ELSIF OLD.is_live THEN
      NEW.stop_reason := CASE
        WHEN NEW.archived THEN 'archived'
        WHEN ended THEN 'ends_at_passed'
        -- Null while it was live, unless a guardrail stops it.
        ELSE coalesce(NEW.exhausted_by[1], NEW.stop_reason, 'stopped_by_owner')
      END;
    END IF;
  END IF;
  IF NEW.is_live AND NOT OLD.is_live THEN
    after := NEW;
    after.largest_reward := (SELECT max(reward) FROM unnest(NEW.cohort_rewards) AS reward);
    NEW.is_prepaid := start_allotment(after, actor);
  ELSIF NEW.is_prepaid AND (limits_changed OR rewards_changed OR OLD.is_live AND NOT NEW.is_live) THEN
    PERFORM mark_allotment_due(NEW.company_id, NEW.id, true);
  END IF;

  NEW.status := campaign_stored_status(NEW.is_live, NEW.archived, NEW.starts_at, NEW.ends_at,
    NEW.due_at, NEW.exhausted_by, NEW.stop_reason);
  after := NEW;
  IF (OLD.is_live OR NEW.is_live OR OLD.due_at = OLD.starts_at OR NEW.due_at = NEW.starts_at)
    AND (limits_changed OR rewards_changed OR OLD.is_live <> NEW.is_live
      OR (OLD.due_at = OLD.starts_at) IS DISTINCT FROM (NEW.due_at = NEW.starts_at))
  THEN
    PERFORM charge_campaign(before, after, actor);
  END IF;
  logged := greatest(moment, interval '1 microsecond' + greatest(OLD.updated_at, (
    SELECT g.logged_at FROM campaign_progress AS g
    WHERE g.company_id = NEW.company_id AND g.campaign_id = NEW.id
  )));
  FOREACH event IN ARRAY campaign_changes(before, after) LOOP
    NEW.version := NEW.version + 1;
    NEW.updated_at := logged;
    NEW.updated_by := actor;
    PERFORM record_event(NEW.company_id, NEW.post_id, NEW.version, event ->> 'type', actor,
      event -> 'changes', NEW.updated_at);
  END LOOP;
  RETURN NEW;
END $$;

-- Name: advance_guardrails(uuid, bigint, uuid, bigint, jsonb, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.advance_guardrails(company uuid, from_seq bigint, known_revision uuid, to_seq bigint, watches jsonb, firings jsonb) RETURNS double precision[]
    LANGUAGE plpgsql
    AS $$
DECLARE
  firing jsonb;
  fired_at_of timestamptz(3);
  moment timestamptz(3);
  reason text;
  is_stopped boolean;
  number integer;
  stored_at timestamptz(3);
  delays double precision[] := ARRAY[]::double precision[];
BEGIN
  UPDATE guardrail_position AS p SET seq = to_seq
  WHERE p.company_id = company AND p.seq = from_seq AND p.revision = known_revision;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF jsonb_array_length(watches) > 0 THEN
    INSERT INTO guardrail_watch AS w (company_id, guardrail_id, post_id, since_seq, state)
    SELECT company, n.guardrail_id, n.post_id, n.since_seq, n.state
    FROM jsonb_to_recordset(watches)
      AS n (guardrail_id text, post_id text, since_seq bigint, state jsonb)
    ON CONFLICT (company_id, post_id, guardrail_id) DO UPDATE
    SET since_seq = excluded.since_seq, state = excluded.state;
  END IF;
  FOR firing IN SELECT n FROM jsonb_array_elements(firings) AS n LOOP
    moment := date_trunc('milliseconds', clock_timestamp());
    fired_at_of := (firing ->> 'at')::timestamptz;
    is_stopped := false;
    reason := CASE firing ->> 'then' WHEN 'stop' THEN 'guardrail' ELSE 'known_enough' END;
    IF firing ->> 'then' IN ('stop', 'complete') THEN
      LOOP
        SELECT c.status IN ('live', 'scheduled') INTO is_stopped FROM campaign AS c
        WHERE c.company_id = company AND c.post_id = firing ->> 'post_id'
        FOR NO KEY UPDATE;
        is_stopped := coalesce(is_stopped, false);
        -- A scheduled start would be one without this guardrail, so it is cancelled. What something
        -- else has stopped meanwhile stays stopped, whatever a document raises afterwards.
        UPDATE campaign AS c
        SET is_live = false, updated_by = 'service',
          stop_reason = reason,
          starts_at = CASE WHEN c.status <> 'scheduled' THEN c.starts_at END
        WHERE c.company_id = company AND c.post_id = firing ->> 'post_id'
          AND c.status <> 'draft';
        EXIT WHEN FOUND;
        -- A start or an end that has come is stored first: see advance_campaign, which knows the time.
        UPDATE campaign AS c SET due_at = NULL, updated_by = 'service'
        WHERE c.company_id = company AND c.post_id = firing ->> 'post_id'
          AND c.due_at IS NOT NULL;
        EXIT WHEN NOT FOUND;
      END LOOP;
    END IF;
    UPDATE guardrail_watch AS w
    SET state = NULL, fired_seq = (firing ->> 'seq')::bigint, fired_at = fired_at_of,
      fired_values = firing -> 'values', fired_stopped = is_stopped
    WHERE w.company_id = company AND w.post_id = firing ->> 'post_id'
      AND w.guardrail_id = firing ->> 'guardrail_id';
    UPDATE guardrail AS g
    SET firings = g.firings + 1, updated_at = greatest(moment, g.updated_at)
    WHERE g.company_id = company AND g.guardrail_id = firing ->> 'guardrail_id'
    RETURNING g.firings, g.updated_at INTO number, stored_at;
    PERFORM record_event(company, firing ->> 'guardrail_id', number, 'guardrail.triggered',
      'service', (firing - 'guardrail_id') || jsonb_build_object('stopped', is_stopped), stored_at);
    delays := delays || extract(epoch FROM moment - fired_at_of)::double precision;
  END LOOP;
  RETURN delays;
END $$;

-- Name: campaign; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.campaign (
    company_id uuid NOT NULL,
    id bigint NOT NULL,
    post_id text NOT NULL,
    external_ref public.campaign_external_ref,
    type public.campaign_type NOT NULL,
    format public.campaign_format,
    title public.campaign_title NOT NULL,
    description public.campaign_description NOT NULL,
    content_url public.campaign_content_url,
    category public.campaign_category NOT NULL,
    tagline public.campaign_tagline NOT NULL,
    currency text DEFAULT 'USD'::text NOT NULL,
    reward_amount public.campaign_reward NOT NULL,
    cohort_rewards public.campaign_cohort_rewards NOT NULL,
    largest_reward numeric(12,2) NOT NULL,
    is_live boolean DEFAULT false NOT NULL,
    starts_at timestamp(3) with time zone,
    ends_at timestamp(3) with time zone,
    max_responses public.campaign_max_responses,
    budget public.campaign_budget,
    is_prepaid boolean DEFAULT false NOT NULL,
    answer_minutes public.campaign_answer_minutes,
    review_days public.campaign_review_days,
    maximum_dispute_share public.campaign_dispute_share,
    due_at timestamp(3) with time zone,
    exhausted_by text[],
    stop_reason text,
    archived boolean DEFAULT false NOT NULL,
    status text NOT NULL,
    video_url text,
    thumbnail_url text,
    duration_seconds public.campaign_duration,
    has_feedback boolean,
    image_survey public.campaign_image_survey,
    banners public.campaign_banners,
    margins public.campaign_margins,
    question_set_version integer,
    targeting_version integer,
    version integer DEFAULT 1 NOT NULL,
    updated_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT (now())::timestamp(3) with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');

-- Name: TABLE campaign; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.campaign IS 'distributed by company_id';

-- Name: allot(public.campaign, boolean); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.allot(c public.campaign, gives boolean) RETURNS text
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  -- Largest rewards that a campaign gets, and below which it is low. mark_allotment has both.
  full_at CONSTANT integer := 100;
  low_at CONSTANT integer := 50;
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  largest CONSTANT numeric := c.largest_reward;
  b balance%ROWTYPE;
  g campaign_progress%ROWTYPE;
  joined numeric := 0;
  moved numeric := 0;
  used numeric;
  spare numeric;
  needed numeric;
  was_dry boolean;
  lacks_some boolean;
  lacks_all boolean;
BEGIN
  SELECT * INTO b FROM balance AS o WHERE o.company_id = company FOR NO KEY UPDATE;
  SELECT * INTO g FROM campaign_progress AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of;
  used := coalesce(g.held + g.spent, 0);
  IF b.is_prepaid IS NOT TRUE THEN
    IF g.allotment IS NOT NULL THEN
      UPDATE campaign_progress AS o SET allotment = NULL
      WHERE o.company_id = company AND o.campaign_id = campaign_of;
      UPDATE balance AS o SET available = o.available + g.allotment - used,
        funded = o.funded - used, postpaid = o.postpaid - used
      WHERE o.company_id = company;
    END IF;
    DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = campaign_of;
    RETURN NULL;
  END IF;
  IF g.allotment IS NULL THEN
    joined := used;
    g.allotment := used;
    INSERT INTO campaign_progress AS o (company_id, campaign_id, max_responses, budget, allotment)
    VALUES (company, campaign_of, c.max_responses, c.budget, used)
    ON CONFLICT (company_id, campaign_id) DO UPDATE SET allotment = excluded.allotment
    RETURNING * INTO g;
  END IF;
  spare := g.allotment - used;
  -- What its limits leave, in whole places.
  needed := CASE WHEN c.is_live THEN largest * floor(greatest(0, least(full_at * largest,
    g.budget - used, (g.max_responses - g.taken) * largest)) / largest) ELSE 0 END;
  SELECT d.is_dry INTO was_dry FROM allotment_due AS d
  WHERE d.company_id = company AND d.campaign_id = campaign_of;
  lacks_all := needed >= largest AND spare < largest;
  IF spare > 2 * needed THEN
    moved := needed - spare;
  ELSIF gives THEN
    moved := -largest * floor(spare / 2 / largest);
  ELSIF spare < least(low_at * largest, needed) AND (lacks_all OR NOT EXISTS (
      SELECT FROM allotment_due AS d
      WHERE d.company_id = company AND d.campaign_id <> campaign_of AND d.is_dry
    ))
  THEN
    -- Half of the money at most, so that others find some; but what pays one respondent.
    moved := least(needed - spare, b.available,
      greatest(largest * floor(b.available / 2 / largest), largest - greatest(spare, 0)));
    IF lacks_all AND spare + moved < largest THEN
      moved := 0;
    END IF;
  END IF;
  spare := spare + moved;
  lacks_some := spare < least(low_at * largest, needed);
  lacks_all := needed >= largest AND spare < largest;
  IF moved <> 0 THEN
    UPDATE campaign_progress AS o SET allotment = o.allotment + moved
    WHERE o.company_id = company AND o.campaign_id = campaign_of;
  END IF;
  IF moved <> 0 OR joined > 0 THEN
    UPDATE balance AS o SET available = o.available - moved, funded = o.funded + joined,
      postpaid = o.postpaid + joined
    WHERE o.company_id = company;
  END IF;
  IF lacks_some THEN
    INSERT INTO allotment_due AS d (company_id, campaign_id, is_waiting, is_dry)
    VALUES (company, campaign_of, moved <= 0, lacks_all)
    ON CONFLICT (company_id, campaign_id) DO UPDATE
    SET is_waiting = excluded.is_waiting, is_dry = excluded.is_dry, due_at = excluded.due_at;
  ELSE
    DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = campaign_of;
  END IF;
  IF moved < 0 OR (b.available > moved AND (moved > 0 OR was_dry AND NOT lacks_all)) THEN
    PERFORM wake_allotments(company);
  END IF;
  RETURN CASE WHEN lacks_all THEN 'dry' WHEN lacks_some THEN 'low' ELSE 'enough' END;
END $$;

-- Name: allot_bonus(public.campaign, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.allot_bonus(c public.campaign, granted numeric) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  lacking numeric;
BEGIN
  SELECT g.held + g.spent + granted - g.allotment INTO lacking FROM campaign_progress AS g
  WHERE g.company_id = c.company_id AND g.campaign_id = c.id AND g.allotment IS NOT NULL;
  IF lacking > 0 THEN
    UPDATE balance AS b SET available = b.available - lacking WHERE b.company_id = c.company_id;
    UPDATE campaign_progress AS g SET allotment = g.allotment + lacking
    WHERE g.company_id = c.company_id AND g.campaign_id = c.id;
  END IF;
END $$;

-- Name: allot_campaign(uuid, bigint, boolean, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.allot_campaign(company uuid, campaign_of bigint, gives boolean, patience integer) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
  c campaign%ROWTYPE;
  state text;
BEGIN
  PERFORM set_config('lock_timeout', patience::text, true);
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = campaign_of;
    RETURN NULL;
  END IF;
  state := allot(c, gives);
  WHILE c.is_prepaid <> (state IS NOT NULL) LOOP
    UPDATE campaign AS o SET is_prepaid = state IS NOT NULL
    WHERE o.company_id = company AND o.id = campaign_of;
    EXIT WHEN FOUND;
    -- A start or an end has come, which is stored first: see advance_campaign.
    UPDATE campaign AS o SET due_at = NULL, updated_by = 'service'
    WHERE o.company_id = company AND o.id = campaign_of
    RETURNING * INTO c;
  END LOOP;
  RETURN state;
END $$;

-- Name: answer_amounts(text, jsonb, jsonb, integer, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.answer_amounts(type text, scale jsonb, positions jsonb, level integer, value jsonb) RETURNS TABLE(kind text, part text, key text, n numeric)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  WITH cell AS (
    SELECT '' AS part, value AS given WHERE type <> 'matrix'
    UNION ALL
    SELECT '.' || (positions ->> c.key), c.value
    FROM jsonb_each(CASE WHEN type = 'matrix' THEN value ELSE '{}' END) AS c
  ), number AS (
    SELECT c.part, (c.given #>> '{}')::numeric AS x, (scale ->> 'min')::numeric AS least,
      rating_step(scale) AS width
    FROM cell AS c WHERE jsonb_typeof(c.given) = 'number' AND (scale IS NOT NULL OR type = 'number')
  ), ranked AS (
    SELECT r.option, r.place
    FROM jsonb_array_elements_text(CASE WHEN type = 'ranking' THEN value ELSE '[]' END)
      WITH ORDINALITY AS r (option, place)
  ), single AS (
    SELECT 'value' AS kind, n.x::text AS key FROM number AS n WHERE type = 'number'
    UNION ALL
    SELECT 'date', value #>> '{}' WHERE type = 'date'
    UNION ALL
    SELECT 'order', string_agg(positions ->> r.option, ' ' ORDER BY r.place)
    FROM ranked AS r HAVING count(*) > 0
  )
  SELECT 'answered', c.part, '', 1::numeric FROM cell AS c WHERE c.part <> ''
  UNION ALL
  SELECT 'option', c.part, o.option, 1
  FROM cell AS c
  CROSS JOIN LATERAL jsonb_array_elements_text(
    CASE jsonb_typeof(c.given) WHEN 'array' THEN c.given ELSE jsonb_build_array(c.given) END
  ) AS o (option)
  WHERE type IN ('nps', 'checkbox', 'ranking') OR type = 'matrix' AND scale IS NULL
  UNION ALL
  SELECT 'rating', n.part, v.key, v.n
  FROM number AS n CROSS JOIN LATERAL (VALUES ('sum', n.x), ('squares', n.x ^ 2)) AS v (key, n)
  UNION ALL
  SELECT 'rated', n.part, trim_scale(n.least + n.width * floor((n.x - n.least) / n.width))::text, 1
  FROM number AS n WHERE scale IS NOT NULL
  UNION ALL
  SELECT 'rank', '', r.option, r.place FROM ranked AS r
  UNION ALL
  SELECT 'first', '', r.option, 1 FROM ranked AS r WHERE r.place = 1
  UNION ALL
  SELECT s.kind, '', coarse_key(s.kind, s.key, level), 1 FROM single AS s
$$;

-- Name: answer_to(jsonb, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.answer_to(answers jsonb, position_of integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (((answers -> (position_of - 1)) -> 'question'::text) = to_jsonb(position_of)) THEN ((answers -> (position_of - 1)) -> 'value'::text) ELSE jsonb_path_query_first(answers, '$[*]?(@."question" == $"position")."value"'::jsonpath, jsonb_build_object('position', position_of)) END;

-- Name: answers_by_key(jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.answers_by_key(answers jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
BEGIN
  RETURN (
    SELECT coalesce(jsonb_object_agg(
      coalesce(a ->> 'key', 'q' || (a ->> 'question')), a -> 'value'
    ) FILTER (WHERE a ? 'question'), '{}')
    FROM jsonb_array_elements(answers) AS a
  );
END $$;

-- Name: append_attempt(jsonb, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.append_attempt(attempts jsonb, attempt jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (CASE WHEN jsonb_array_length(attempts) < 20 THEN attempts ELSE attempts - 0 END) || attempt
$$;

-- Name: archivable_seq(uuid, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.archivable_seq(company uuid, abandoned timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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

-- Name: audience_refusal(uuid, bytea, jsonb, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.audience_refusal(company uuid, who bytea, audience jsonb, moment timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  -- Days of another length, as a change of the time makes them, would depend on a time zone.
  one_day CONSTANT interval := interval '24 hours';
  excluded bigint[] := (
    SELECT array_agg(c.id::bigint)
    FROM jsonb_array_elements_text(nullif(audience #> '{exclude,campaigns}', 'null')) AS c (id)
  );
  excluded_since timestamptz :=
    coalesce(moment - (audience #>> '{exclude,days}')::integer * one_day, '-infinity');
  included bigint := (audience #>> '{include,campaign}')::bigint;
  cohorts jsonb := nullif(audience #> '{include,cohorts}', 'null');
  answered jsonb := nullif(audience #> '{include,answered}', 'null');
  maximum integer := (audience #>> '{at_most,responses}')::integer;
  counted_since timestamptz := moment - (audience #>> '{at_most,days}')::integer * one_day;
  is_excluded boolean;
  is_included boolean;
  responses bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended(company::text || encode(who, 'hex'), 4171832906)
  );
  SELECT
    bool_or(
      (excluded IS NULL OR p.campaign_id = ANY (excluded)) AND p.begun_at > excluded_since
      AND p.state <> 'screened_out'
    ),
    bool_or(
      p.campaign_id = included AND p.state = 'submitted'
      AND (cohorts IS NULL OR cohorts @> to_jsonb(p.cohort))
      -- Without answers, after an erasure, this is null.
      AND (answered IS NULL OR is_shown(answered, answers_by_key(p.answers::jsonb)))
    ),
    count(*) FILTER (
      WHERE p.begun_at > counted_since AND (
        p.state IN ('submitted', 'reversed') OR p.state = 'open' AND p.expires_at > moment
      )
    )
  INTO is_excluded, is_included, responses
  FROM participation AS p WHERE p.respondent = who AND p.company_id = company;
  RETURN CASE
    WHEN audience -> 'exclude' <> 'null' AND is_excluded THEN 'exclude'
    WHEN included IS NOT NULL AND is_included IS NOT TRUE THEN 'include'
    WHEN responses >= maximum THEN 'at_most'
  END;
END $$;

-- Name: begin_participation(uuid, bigint, uuid, text, bytea, integer, smallint[], boolean, jsonb, integer, numeric, integer, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.begin_participation(company uuid, campaign_of bigint, participation uuid, agent text, who bytea, known_rules integer, own_cells smallint[], is_screened_out boolean, audience jsonb, per_hour integer, screen_out_reward numeric, maximum_screen_outs integer, caller text, OUT id uuid, OUT expired integer, OUT other_rules integer, OUT is_refused boolean, OUT full_cell smallint, OUT refused_by text, OUT pause integer, OUT paid numeric, OUT is_paid_now boolean, OUT is_low boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- How long a respondent has, unless the campaign says otherwise.
  default_answer_minutes CONSTANT integer := 60;
  c campaign%ROWTYPE;
  -- The time as it is stored: never later than the clock.
  moment timestamptz(3);
  is_free boolean;
  place_state text;
BEGIN
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  expired := 0;
  SELECT p.participation_id, p.state, p.held INTO id, place_state, paid FROM participation AS p
  WHERE p.respondent = who AND p.company_id = company AND p.campaign_id = campaign_of;
  IF FOUND THEN
    IF place_state = 'screened_out' THEN
      id := NULL;
      other_rules := nullif(coalesce(c.targeting_version, 0), coalesce(known_rules, 0));
      is_refused := true;
    END IF;
    RETURN;
  END IF;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF c.due_at <= moment THEN
    RETURN;
  END IF;
  IF NOT c.is_live THEN
    IF c.status = 'completed' THEN
      RAISE EXCEPTION 'a completed campaign violates constraint "participation_campaign_open"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'participation_campaign_open';
    END IF;
    RAISE EXCEPTION 'a stopped campaign violates constraint "participation_campaign_live"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'participation_campaign_live';
  END IF;
  IF c.targeting_version IS DISTINCT FROM known_rules THEN
    other_rules := coalesce(c.targeting_version, 0);
    RETURN;
  END IF;
  IF is_screened_out THEN
    is_refused := true;
    RETURN;
  END IF;
  IF audience IS NOT NULL THEN
    refused_by := audience_refusal(company, who, audience, moment);
    IF refused_by IS NOT NULL THEN
      is_refused := true;
      RETURN;
    END IF;
  END IF;
  IF per_hour IS NOT NULL THEN
    pause := pace_pause(company, campaign_of, per_hour, moment);
    IF pause IS NOT NULL THEN
      is_refused := true;
      RETURN;
    END IF;
  END IF;
  SELECT has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
    c.largest_reward)
  INTO is_free
  FROM campaign_progress AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF NOT FOUND THEN
    INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
    VALUES (company, campaign_of, c.max_responses, c.budget);
  ELSIF NOT is_free THEN
    expired := expire_participations(company, campaign_of);
  END IF;
  IF screen_out_reward IS NOT NULL THEN
    IF screen_out_reward > 0 THEN
      paid := screen_out(c, participation, agent, who, screen_out_reward, maximum_screen_outs,
        caller, moment);
      is_paid_now := paid IS NOT NULL;
    END IF;
    is_refused := true;
    RETURN;
  END IF;
  IF own_cells IS NOT NULL THEN
    full_cell := take_cells(company, campaign_of, own_cells);
    IF full_cell IS NOT NULL AND expired = 0 THEN
      expired := expire_participations(company, campaign_of);
      IF expired > 0 THEN
        full_cell := take_cells(company, campaign_of, own_cells);
      END IF;
    END IF;
    IF full_cell IS NOT NULL THEN
      is_refused := true;
      RETURN;
    END IF;
  END IF;
  UPDATE campaign_progress AS g SET taken = g.taken + 1, held = g.held + c.largest_reward
  WHERE g.company_id = company AND g.campaign_id = campaign_of
    AND has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
      c.largest_reward);
  IF NOT FOUND THEN
    PERFORM refuse_place(c, c.largest_reward);
  END IF;
  IF per_hour IS NOT NULL THEN
    PERFORM count_begin(company, campaign_of, moment);
  END IF;
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
    question_set_version, rewards, held, begun_at, expires_at, cells)
  VALUES (company, campaign_of, participation, agent, who, c.question_set_version, c.cohort_rewards,
    c.largest_reward, moment,
    moment + coalesce(c.answer_minutes, default_answer_minutes) * interval '1 minute', own_cells);
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  VALUES (company, campaign_of, participation, 'hold', c.largest_reward);
  id := participation;
  IF c.is_prepaid THEN
    is_low := EXISTS (
      SELECT FROM allotment_due AS d
      WHERE d.company_id = company AND d.campaign_id = campaign_of AND NOT d.is_waiting
    );
  END IF;
END $$;

-- Name: campaign_changes(public.campaign, public.campaign); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.campaign_changes(before public.campaign, after public.campaign) RETURNS jsonb[]
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  is_moved boolean := before.archived <> after.archived;
  is_completed boolean := after.status = 'completed' AND NOT is_moved;
  -- The event of its stop comes before that of the archive.
  status jsonb := field_change('status',
    CASE WHEN is_moved AND before.is_live THEN 'paused' ELSE before.status END, after.status);
  stop_reason jsonb := field_change('stop_reason', before.stop_reason, after.stop_reason);
  is_live jsonb := field_change('is_live', before.is_live, after.is_live);
  questions jsonb := field_change(
    'question_set_version', before.question_set_version, after.question_set_version);
  targeting jsonb := field_change(
    'targeting_version', before.targeting_version, after.targeting_version);
  rewards jsonb := jsonb_build_object();
  others jsonb :=
    field_change('type', before.type, after.type)
    || field_change('format', before.format, after.format)
    || field_change('title', before.title, after.title)
    || field_change('description', before.description, after.description)
    || field_change('category', before.category, after.category)
    || field_change('tagline', before.tagline, after.tagline)
    || field_change('reward_amount', before.reward_amount, after.reward_amount)
    || field_change('external_ref', before.external_ref, after.external_ref)
    || field_change('content_url', before.content_url, after.content_url)
    || field_change('video_url', before.video_url, after.video_url)
    || field_change('thumbnail_url', before.thumbnail_url, after.thumbnail_url)
    || field_change('duration_seconds', before.duration_seconds, after.duration_seconds)
    || field_change('has_feedback', before.has_feedback, after.has_feedback)
    || field_change('image_survey', before.image_survey, after.image_survey)
    || field_change('starts_at', json_time(before.starts_at), json_time(after.starts_at))
    || field_change('ends_at', json_time(before.ends_at), json_time(after.ends_at))
    || field_change('max_responses', before.max_responses, after.max_responses)
    || field_change('budget', before.budget, after.budget)
    || field_change('answer_minutes', before.answer_minutes, after.answer_minutes)
    || field_change('review_days', before.review_days, after.review_days)
    || field_change('maximum_dispute_share', before.maximum_dispute_share, after.maximum_dispute_share)
    || field_change('banners', before.banners, after.banners)
    || field_change('margins', before.margins, after.margins);
  events jsonb[] := ARRAY[]::jsonb[];
BEGIN
  IF before.cohort_rewards <> after.cohort_rewards THEN
    FOR cohort IN 1 .. 5 LOOP
      rewards := rewards || field_change('cohort_' || cohort || '_reward',
        before.cohort_rewards[cohort], after.cohort_rewards[cohort]);
    END LOOP;
    IF others ? 'reward_amount' THEN
      -- The rewards that a new reward_amount recalculates belong to its update.
      others := others || rewards;
    ELSE
      events := events
        || jsonb_build_object('type', 'campaign.cohort_rewards_updated', 'changes', rewards);
    END IF;
  END IF;
  IF others <> '{}' THEN
    events := jsonb_build_object('type', 'campaign.updated', 'changes', others) || events;
  END IF;
  IF questions <> '{}' THEN
    events := events
      || jsonb_build_object('type', 'campaign.questions_replaced', 'changes', questions);
  END IF;
  IF targeting <> '{}' THEN
    events := events
      || jsonb_build_object('type', 'campaign.targeting_replaced', 'changes', targeting);
  END IF;
  IF is_live <> '{}' AND NOT is_completed THEN
    events := events || jsonb_build_object(
      'type', CASE WHEN after.is_live THEN 'campaign.started' ELSE 'campaign.stopped' END,
      'changes', is_live);
  END IF;
  IF is_moved THEN
    events := events || jsonb_build_object(
      'type', CASE WHEN after.archived THEN 'campaign.archived' ELSE 'campaign.unarchived' END,
      'changes', status);
  END IF;
  IF is_completed AND status <> '{}' THEN
    events := events
      || jsonb_build_object('type', 'campaign.completed', 'changes', status || is_live);
  END IF;
  IF events = '{}' AND status || stop_reason <> '{}' THEN
    -- A reversal gave money back, or a guardrail fired after something else had stopped it; nothing
    -- else says so.
    events := ARRAY[
      jsonb_build_object('type', 'campaign.updated', 'changes', status || stop_reason)
    ];
  END IF;
  RETURN events;
END $$;

-- Name: campaign_commitment(public.campaign); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.campaign_commitment(c public.campaign) RETURNS numeric
    LANGUAGE plpgsql
    AS $$
DECLARE
  progress campaign_progress%ROWTYPE;
  largest numeric := greatest(c.cohort_rewards[1], c.cohort_rewards[2], c.cohort_rewards[3],
    c.cohort_rewards[4], c.cohort_rewards[5]);
  screen_out_reward numeric;
  screen_outs numeric := 0;
  open_places numeric;
BEGIN
  SELECT * INTO progress FROM campaign_progress AS g
  WHERE g.company_id = c.company_id AND g.campaign_id = c.id;
  IF NOT (c.is_live OR coalesce(c.due_at = c.starts_at, false)) THEN
    RETURN coalesce(progress.spent + progress.held, 0);
  END IF;
  IF c.targeting_version IS NOT NULL THEN
    -- Of a null, greatest makes 0.
    SELECT (t.content ->> 'screen_out_reward')::numeric,
      CASE WHEN t.content ->> 'maximum_screen_outs' IS NOT NULL THEN greatest(0,
        (t.content ->> 'maximum_screen_outs')::numeric - coalesce(progress.screened_out, 0)) END
    INTO screen_out_reward, screen_outs
    FROM targeting AS t
    WHERE t.company_id = c.company_id AND t.campaign_id = c.id AND t.version = c.targeting_version;
  END IF;
  IF c.max_responses IS NULL
    OR (screen_out_reward IS NOT NULL AND screen_outs IS NULL)
  THEN
    RETURN c.budget;
  END IF;
  -- If a place expires, it is taken again, at the rewards of that time.
  SELECT coalesce(sum(greatest(p.held, largest)), 0) INTO open_places FROM participation AS p
  WHERE p.company_id = c.company_id AND p.campaign_id = c.id AND p.state = 'open';
  RETURN least(c.budget, coalesce(progress.spent, 0) + open_places
    + largest * (c.max_responses - coalesce(progress.taken, 0))
    + coalesce(screen_out_reward * screen_outs, 0));
END $$;

-- Name: campaign_exhausted_by(uuid, bigint, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.campaign_exhausted_by(company uuid, campaign_of bigint, largest_reward numeric) RETURNS text[]
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN (
    SELECT nullif(array_remove(ARRAY[
      CASE WHEN p.answered >= p.max_responses THEN 'max_responses_reached' END,
      CASE WHEN p.spent > 0 AND p.held = 0 AND p.budget - p.spent < largest_reward
        THEN 'budget_spent' END
    ], NULL), '{}')
    FROM campaign_progress AS p
    WHERE p.company_id = company AND p.campaign_id = campaign_of
  );
END $$;

-- Name: campaign_stored_status(boolean, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone, text[], text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.campaign_stored_status(is_live boolean, archived boolean, starts_at timestamp with time zone, ends_at timestamp with time zone, due_at timestamp with time zone, exhausted_by text[], stop_reason text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN archived THEN 'archived'
    WHEN exhausted_by IS NOT NULL OR (ends_at IS NOT NULL AND due_at IS NULL) THEN 'completed'
    WHEN is_live THEN 'live'
    WHEN due_at = starts_at THEN 'scheduled'
    WHEN stop_reason = 'known_enough' THEN 'completed'
    WHEN stop_reason IS NOT NULL THEN 'paused'
    ELSE 'draft'
  END
$$;

-- Name: carry_transfers(uuid, text, uuid[], text[], numeric[], timestamp with time zone[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.carry_transfers(company uuid, post text, participations uuid[], kinds text[], amounts numeric[], times timestamp with time zone[], older timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
DECLARE
  campaign_of bigint;
  carried integer;
BEGIN
  SELECT c.id INTO campaign_of FROM campaign AS c
  WHERE c.company_id = company AND c.post_id = post
  FOR NO KEY UPDATE;
  IF closed_campaigns(company, ARRAY[campaign_of], older) IS NULL THEN
    RETURN 0;
  END IF;
  -- What refuse_transfer_change looks at.
  PERFORM set_config('ledger.carries', 'on', true);
  WITH removed AS (
    DELETE FROM transfer AS t
    USING unnest(participations, kinds, amounts, times) AS k (participation_id, kind, amount, moment)
    WHERE t.company_id = company AND t.campaign_id = campaign_of
      AND t.participation_id = k.participation_id AND t.kind = k.kind
      AND t.amount = k.amount AND t.created_at = k.moment
    RETURNING t.kind, t.amount, t.released, t.created_at
  ), added AS (
    INSERT INTO carried_balance AS b
      (company_id, campaign_id, kind, transfers, amount, released, first_at, last_at)
    SELECT company, campaign_of, r.kind, count(*), sum(r.amount), sum(r.released),
      min(r.created_at), max(r.created_at)
    FROM removed AS r GROUP BY r.kind
    ON CONFLICT (company_id, campaign_id, kind) DO UPDATE
    SET transfers = b.transfers + excluded.transfers, amount = b.amount + excluded.amount,
      released = b.released + excluded.released,
      first_at = least(b.first_at, excluded.first_at),
      last_at = greatest(b.last_at, excluded.last_at)
  )
  SELECT count(*) INTO carried FROM removed;
  PERFORM set_config('ledger.carries', '', true);
  RETURN carried;
END $$;

-- Name: charge_bonus(public.campaign, numeric, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.charge_bonus(c public.campaign, granted numeric, actor text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  own key_limit%ROWTYPE;
  current_period text;
BEGIN
  SELECT * INTO own FROM key_limit AS l
  WHERE l.company_id = c.company_id AND l.key_id = stored_id(actor)
  FOR SHARE;
  IF own.amount IS NULL THEN
    RETURN;
  END IF;
  current_period := spending_period(own.per, utc_day());
  INSERT INTO key_spending (company_id, spender, period, committed, ceiling)
  VALUES (c.company_id, own.spender, current_period, 0, own.amount)
  ON CONFLICT (company_id, spender, period) DO NOTHING;
  PERFORM FROM key_spending AS s
  WHERE s.company_id = c.company_id AND s.spender = own.spender AND s.period = current_period
  FOR NO KEY UPDATE;
  PERFORM charge_key(c, own, own.spender, granted);
END $$;

-- Name: charge_campaign(public.campaign, public.campaign, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.charge_campaign(before public.campaign, after public.campaign, actor text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := after.company_id;
  campaign_of CONSTANT bigint := after.id;
  own key_limit%ROWTYPE;
  acting uuid;
  spenders uuid[];
  today date;
  charged numeric;
  was numeric;
  becomes numeric;
  surplus numeric;
  part numeric;
  last integer;
  current_period text;
  periods text[];
  period_of text;
  charge record;
  stopped campaign%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT FROM key_limit AS l WHERE l.company_id = company) THEN
    RETURN;
  END IF;
  acting := stored_id(actor);
  SELECT l.spender INTO acting FROM key_limit AS l
  WHERE l.company_id = company AND l.key_id = acting;
  SELECT sum(c.amount), max(c.number), array_agg(DISTINCT c.spender)
  INTO charged, last, spenders FROM campaign_charge AS c
  WHERE c.company_id = company AND c.campaign_id = campaign_of;
  IF acting IS NULL AND charged IS NULL THEN
    RETURN;
  END IF;
  PERFORM FROM key_limit AS l
  WHERE l.company_id = company AND l.spender = ANY (spenders || acting)
  ORDER BY l.spender, l.key_id FOR SHARE;
  SELECT * INTO own FROM key_limit AS l
  WHERE l.company_id = company AND l.key_id = stored_id(actor);
  today := utc_day();

  becomes := campaign_commitment(after);
  IF becomes IS NULL THEN
    IF own.amount IS NOT NULL THEN
      RAISE EXCEPTION 'a cost without limits violates constraint "campaign_cost_bounded"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_cost_bounded';
    END IF;
    IF own.approval_above IS NOT NULL THEN
      PERFORM require_approval(after, actor, own.approval_above, NULL);
    END IF;
    RETURN;
  END IF;
  was := CASE WHEN before.id IS NULL THEN 0 ELSE campaign_commitment(before) END;
  IF was IS NULL THEN
    -- Nothing limited it. Limits alone make it cost less; with them, whoever makes it pay somebody more is
    -- charged all that is still to come.
    stopped := before;
    stopped.is_live := false;
    stopped.due_at := NULL;
    was := CASE WHEN is_dearer(before, after) THEN campaign_commitment(stopped) ELSE becomes END;
  END IF;
  IF becomes > greatest(was, own.approval_above) AND own.approval_above IS NOT NULL THEN
    PERFORM require_approval(after, actor, own.approval_above, becomes);
  END IF;

  periods := ARRAY[spending_period('day', today), spending_period('month', today),
    spending_period('total', today)];
  current_period := spending_period(own.per, today);
  IF current_period IS NOT NULL THEN
    INSERT INTO key_spending (company_id, spender, period, committed, ceiling)
    VALUES (company, acting, current_period, 0, own.amount)
    ON CONFLICT (company_id, spender, period) DO NOTHING;
  END IF;
  PERFORM FROM key_spending AS s
  WHERE s.company_id = company AND s.spender = ANY (spenders || acting)
    AND s.period = ANY (periods)
  ORDER BY s.spender, s.period FOR NO KEY UPDATE;

  last := coalesce(last, 0);
  surplus := coalesce(charged, 0) - was;
  IF surplus < 0 THEN
    last := last + 1;
    INSERT INTO campaign_charge (company_id, campaign_id, number, day, amount)
    VALUES (company, campaign_of, last, today, -surplus);
  END IF;
  surplus := greatest(surplus, 0) + greatest(was - becomes, 0);
  FOR charge IN
    SELECT c.number, c.spender, c.day, c.amount FROM campaign_charge AS c
    WHERE c.company_id = company AND c.campaign_id = campaign_of
    ORDER BY c.number DESC
  LOOP
    EXIT WHEN surplus = 0;
    part := least(surplus, charge.amount);
    surplus := surplus - part;
    IF part = charge.amount THEN
      DELETE FROM campaign_charge AS c
      WHERE c.company_id = company AND c.campaign_id = campaign_of AND c.number = charge.number;
    ELSE
      UPDATE campaign_charge AS c SET amount = c.amount - part
      WHERE c.company_id = company AND c.campaign_id = campaign_of AND c.number = charge.number;
    END IF;
    -- Only the current period is kept up to date.
    SELECT l.per INTO period_of FROM key_limit AS l
    WHERE l.company_id = company AND l.spender = charge.spender LIMIT 1;
    IF charge.day >= spending_starts(period_of, today) THEN
      current_period := spending_period(period_of, today);
      UPDATE key_spending AS s SET committed = s.committed - part
      WHERE s.company_id = company AND s.spender = charge.spender AND s.period = current_period;
    END IF;
  END LOOP;
  IF becomes <= was THEN
    RETURN;
  END IF;

  PERFORM charge_key(after, own, acting, becomes - was);
END $$;

-- Name: key_limit; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.key_limit (
    company_id uuid NOT NULL,
    key_id uuid NOT NULL,
    spender uuid NOT NULL,
    amount numeric(12,2),
    per text,
    approval_above numeric(12,2),
    CONSTRAINT key_limit_complete CHECK ((num_nulls(amount, per) = ANY (ARRAY[0, 2]))),
    CONSTRAINT key_limit_per CHECK ((per = ANY (ARRAY['day'::text, 'month'::text, 'total'::text])))
);

-- Name: TABLE key_limit; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.key_limit IS 'distributed by company_id';

-- Name: charge_key(public.campaign, public.key_limit, uuid, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.charge_key(c public.campaign, own public.key_limit, acting uuid, part numeric) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  today CONSTANT date := utc_day();
  current_period CONSTANT text := spending_period(own.per, today);
  known numeric;
  last integer;
BEGIN
  IF own.amount IS NOT NULL THEN
    SELECT s.committed INTO known FROM key_spending AS s
    WHERE s.company_id = c.company_id AND s.spender = acting AND s.period = current_period;
    IF known + part > own.amount THEN
      RAISE EXCEPTION 'a commitment violates constraint "key_spending_within_limit"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'key_spending_within_limit',
          DETAIL = jsonb_build_object('limit', own.amount, 'per', own.per,
            'left', greatest(0, own.amount - known), 'required', part,
            'currency', c.currency, 'resets_at', json_time(spending_resets(own.per, today)));
    END IF;
    UPDATE key_spending AS s SET committed = known + part, ceiling = own.amount
    WHERE s.company_id = c.company_id AND s.spender = acting AND s.period = current_period;
  END IF;
  SELECT coalesce(max(o.number), 0) INTO last FROM campaign_charge AS o
  WHERE o.company_id = c.company_id AND o.campaign_id = c.id;
  UPDATE campaign_charge AS o SET amount = o.amount + part
  WHERE o.company_id = c.company_id AND o.campaign_id = c.id AND o.number = last
    AND o.day = today AND o.spender IS NOT DISTINCT FROM acting;
  IF NOT FOUND THEN
    INSERT INTO campaign_charge (company_id, campaign_id, number, spender, day, amount)
    VALUES (c.company_id, c.id, last + 1, acting, today, part);
  END IF;
END $$;

-- Name: check_campaign(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.check_campaign() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN substr(NEW.company_id::text, 15, 1) NOT IN ('7', '8') THEN 'campaign_environment'
    WHEN (NEW.type = 'survey') <> (NEW.format IS NOT NULL) THEN 'campaign_format_known'
    WHEN NEW.cohort_rewards[5] <> NEW.reward_amount THEN 'campaign_cohort_5_equals_reward'
    -- Cohort 5 has the same reward.
    WHEN currency_places(NEW.currency) = 0 AND (
        NEW.reward_amount % 1 <> 0 OR NEW.budget % 1 <> 0
        OR NEW.cohort_rewards[1] % 1 <> 0
        OR NEW.cohort_rewards[2] % 1 <> 0 OR NEW.cohort_rewards[3] % 1 <> 0
        OR NEW.cohort_rewards[4] % 1 <> 0)
      THEN 'campaign_minor_unit'
    WHEN NEW.type = 'advertisement' AND num_nulls(NEW.video_url, NEW.has_feedback) > 0
      THEN 'campaign_advertisement_fields'
    WHEN NEW.type <> 'advertisement' AND num_nonnulls(NEW.video_url, NEW.has_feedback,
        NEW.thumbnail_url, NEW.duration_seconds) > 0
      THEN 'campaign_advertisement_fields'
    -- Any content has 1 to 20 images, by its domain.
    WHEN CASE NEW.format
        WHEN 'round_robin' THEN jsonb_array_length(NEW.image_survey -> 'images') >= 3
        WHEN 'binary' THEN jsonb_array_length(NEW.image_survey -> 'images') = 2
        WHEN 'image_slider' THEN NEW.image_survey ? 'scale'
        ELSE NEW.image_survey IS NULL
      END IS NOT TRUE
      THEN 'campaign_image_survey'
    WHEN num_nonnulls(NEW.image_survey, NEW.question_set_version) = 2
      THEN 'campaign_image_survey_fixed'
    WHEN NEW.ends_at <= NEW.starts_at THEN 'campaign_ends_after_start'
    WHEN NEW.is_live AND NEW.archived THEN 'campaign_live_unless_archived'
    WHEN NEW.is_live AND NEW.exhausted_by IS NOT NULL
      THEN 'campaign_live_unless_' || NEW.exhausted_by[1]
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a campaign violates constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  NEW.largest_reward := greatest(NEW.cohort_rewards[1], NEW.cohort_rewards[2],
    NEW.cohort_rewards[3], NEW.cohort_rewards[4], NEW.cohort_rewards[5]);
  NEW.status := campaign_stored_status(NEW.is_live, NEW.archived, NEW.starts_at, NEW.ends_at,
    NEW.due_at, NEW.exhausted_by, NEW.stop_reason);
  RETURN NEW;
END $$;

-- Name: check_campaign_progress(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.check_campaign_progress() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN NEW.answered > NEW.taken THEN 'campaign_progress_answered_taken'
    WHEN NEW.reversed > NEW.answered THEN 'campaign_progress_reversed_answered'
    WHEN NEW.screen_out_spent + NEW.bonus_spent > NEW.spent
      THEN 'campaign_progress_screen_out_spent'
    WHEN NEW.held + NEW.spent > NEW.allotment THEN 'campaign_progress_within_allotment'
    WHEN NEW.held + NEW.spent > NEW.budget THEN 'campaign_progress_within_budget'
    WHEN NEW.taken > NEW.max_responses THEN 'campaign_progress_within_max_responses'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'the counters of a campaign violate constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

-- Name: check_cell_counts(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.check_cell_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- Variables are not unpacked again for each element.
  counts CONSTANT integer[] := NEW.taken;
  limits CONSTANT integer[] := NEW.maximums;
BEGIN
  FOR cell IN 1 .. cardinality(counts) LOOP
    IF counts[cell] < 0 OR counts[cell] > limits[cell] THEN
      RAISE EXCEPTION 'the counts of cells violate constraint "cell_counts_within_maximum"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'cell_counts_within_maximum',
          TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

-- Name: check_participation(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.check_participation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  is_answered CONSTANT boolean := NEW.state IN ('submitted', 'reversed');
  broken CONSTANT text := CASE
    WHEN NOT (NEW.held = ANY (NEW.rewards) AND NEW.held >= ALL (NEW.rewards)
        AND NEW.expires_at > NEW.begun_at)
      THEN 'participation_promise'
    -- Section 2.3: a score on the border of two bands belongs to the higher one.
    WHEN num_nonnulls(NEW.attention_score, NEW.cohort, NEW.reward)
          <> CASE WHEN is_answered THEN 3 ELSE 0 END
        OR NEW.reward IS DISTINCT FROM NEW.rewards[NEW.cohort]
        OR NEW.cohort IS DISTINCT FROM width_bucket(NEW.attention_score, '{2,4,6,8}') + 1
        OR (NOT is_answered
          AND num_nonnulls(NEW.submission, NEW.answers, NEW.text_hash, NEW.bonus) > 0)
      THEN 'participation_reward'
    WHEN (NEW.state = 'open') <> (NEW.closed_at IS NULL)
        OR num_nonnulls(NEW.reversed_at, NEW.reversal_reason)
          <> CASE NEW.state WHEN 'reversed' THEN 2 ELSE 0 END
      THEN 'participation_state'
    WHEN NEW.cells IS NOT NULL AND NEW.state NOT IN ('open', 'submitted', 'reversed')
      THEN 'participation_cells'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a participation violates constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

-- Name: check_settlement(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.check_settlement() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  last record;
  paid settlement%ROWTYPE;
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT s.settlement_id, s.to_seq INTO last FROM settlement AS s
    WHERE s.company_id = NEW.company_id AND s.platform = NEW.platform
    ORDER BY s.from_seq DESC LIMIT 1;
    IF NEW.from_seq <> coalesce(last.to_seq, 0)
      OR NEW.previous_id IS DISTINCT FROM last.settlement_id THEN
      broken := 'settlement_continues';
    END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    paid := NEW;
    paid.paid_at := OLD.paid_at;
    paid.reference := OLD.reference;
    IF OLD.paid_at IS NOT NULL OR paid IS DISTINCT FROM OLD THEN
      broken := 'settlement_permanent';
    END IF;
  ELSE
    broken := 'settlement_permanent';
  END IF;
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a settlement violates constraint "%"', broken
      USING ERRCODE = 'restrict_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- Name: check_settlement_line(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.check_settlement_line() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.position BETWEEN 1 AND (
    SELECT s.campaigns FROM settlement AS s
    WHERE s.company_id = NEW.company_id AND s.settlement_id = NEW.settlement_id
  ) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a settlement is never changed: constraint "settlement_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'settlement_permanent',
      TABLE = TG_TABLE_NAME;
END $$;

-- Name: claim_deliveries(uuid, text, integer, integer, interval); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.claim_deliveries(company uuid, endpoint text, most integer, at_once integer, lease interval) RETURNS TABLE(seq bigint, claim integer, failures integer, claimed_at timestamp with time zone, url text, secret bytea, previous_secret bytea, subject uuid, version integer, type text, actor text, changes jsonb, created_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  -- Events whose numbers one claim looks at, whatever the endpoint's types leave out of them.
  scan_maximum CONSTANT integer := 10000;
  -- Unfinished deliveries that an endpoint may have. Further events wait in the log.
  queue_maximum CONSTANT integer := 10000;
  -- Longer than any lease: WEBHOOK_TIMEOUT_SECONDS is at most 60.
  lease_maximum CONSTANT interval := interval '2 minutes';
  moment timestamptz(3);
  read_to bigint;
  last bigint;
  types text[];
  failing boolean;
  -- The endpoint as the subject of its tests.
  tested uuid := stored_id(endpoint);
  room integer;
  unfinished integer;
  claimed bigint[] := ARRAY[]::bigint[];
  found_events bigint[];
  before integer;
  next_look timestamptz;
  lease_end timestamptz(3);
  interrupted jsonb;
BEGIN
  SELECT w.claimed_seq, w.event_types, w.failing_since IS NOT NULL INTO read_to, types, failing
  FROM webhook_endpoint AS w
  WHERE w.company_id = company AND w.webhook_id = endpoint AND w.enabled
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  moment := clock_timestamp();
  lease_end := moment + lease;
  SELECT CASE WHEN failing THEN 1 ELSE at_once END - count(*)::integer INTO room
  FROM webhook_delivery AS d
  WHERE d.company_id = company AND d.webhook_id = endpoint AND d.claimed_at IS NOT NULL
    AND d.due_at > moment AND d.due_at <= moment + lease_maximum;
  most := least(most, room);

  IF most > 0 THEN
    SELECT coalesce(array_agg(p.seq), '{}'),
      jsonb_object_agg(p.seq, jsonb_build_object(
        'at', p.claimed_at, 'status', NULL, 'duration_ms', NULL, 'error', 'interrupted'
      ))
    INTO claimed, interrupted
    FROM (
      SELECT d.seq, d.claimed_at FROM webhook_delivery AS d
      WHERE d.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL
        AND (d.due_at <= moment OR d.claimed_at IS NOT NULL AND d.due_at > moment + lease_maximum)
      ORDER BY d.due_at LIMIT most
    ) AS p;
    IF cardinality(claimed) > 0 THEN
      UPDATE webhook_delivery AS d SET
        due_at = lease_end, claimed_at = moment, claim = d.claim + 1,
        attempts = CASE WHEN d.claimed_at IS NULL THEN d.attempts
          ELSE append_attempt(d.attempts, interrupted -> d.seq::text) END
      FROM unnest(claimed) AS n
      WHERE d.company_id = company AND d.webhook_id = endpoint AND d.seq = n;
    END IF;
    most := most - cardinality(claimed);
    room := room - cardinality(claimed);
  END IF;

  SELECT s.last_seq INTO last FROM event_sequence AS s WHERE s.company_id = company;
  IF room > 0 AND read_to < last THEN
    SELECT count(*)::integer INTO unfinished FROM (
      SELECT 1 FROM webhook_delivery AS d
      WHERE d.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL
      LIMIT queue_maximum
    ) AS q;
    IF unfinished < queue_maximum AND most > 0 THEN
      SELECT coalesce(array_agg(e.seq ORDER BY e.seq), '{}') INTO found_events FROM (
        SELECT o.seq FROM event AS o
        WHERE o.company_id = company AND o.seq > read_to AND o.seq <= read_to + scan_maximum
          AND CASE WHEN o.type = 'webhook.tested' THEN o.subject = tested
            ELSE types IS NULL OR o.type = ANY (types) END
        ORDER BY o.seq LIMIT most
      ) AS e;
      IF cardinality(found_events) = most THEN
        read_to := found_events[most];
      ELSE
        read_to := least(last, read_to + scan_maximum);
      END IF;
      IF cardinality(found_events) > 0 THEN
        -- After a replay the log has events that were delivered before, wait for a retry or are being
        -- attempted. The last are left alone and take no room.
        before := cardinality(claimed);
        WITH added AS (
          INSERT INTO webhook_delivery AS d
            (company_id, webhook_id, seq, state, due_at, claimed_at, created_at)
          SELECT company, endpoint, n, 'pending', lease_end, moment, moment
          FROM unnest(found_events) AS n
          ON CONFLICT (company_id, webhook_id, seq) DO UPDATE SET
            state = 'pending', due_at = excluded.due_at, claimed_at = excluded.claimed_at,
            claim = d.claim + 1, failures = 0, finished_at = NULL
          WHERE d.claimed_at IS NULL
          RETURNING d.seq
        )
        SELECT claimed || coalesce(array_agg(a.seq), '{}') INTO claimed FROM added AS a;
        room := room - (cardinality(claimed) - before);
      END IF;
    END IF;
    -- The caller has taken as many as it can; another one may take more.
    IF unfinished < queue_maximum AND room > 0 AND read_to < last THEN
      next_look := moment;
    END IF;
  END IF;

  -- Without room for an attempt, the end of a running one or of its lease comes first.
  IF next_look IS NULL THEN
    SELECT min(d.due_at) INTO next_look FROM webhook_delivery AS d
    WHERE d.company_id = company AND d.webhook_id = endpoint AND d.due_at IS NOT NULL
      AND (room > 0 OR d.claimed_at IS NOT NULL);
  END IF;
  UPDATE webhook_endpoint AS w SET claimed_seq = read_to, due_at = next_look
  WHERE w.company_id = company AND w.webhook_id = endpoint;

  IF cardinality(claimed) > 0 THEN
    RETURN QUERY
      SELECT d.seq, d.claim, d.failures, d.claimed_at, w.url, w.secret,
        CASE WHEN w.previous_secret_ends_at > moment THEN w.previous_secret END,
        e.subject, e.version, e.type::text, e.actor,
        CASE WHEN e.type = 'guardrail.triggered' AND NOT w.reads_responses
          THEN e.changes - 'values' ELSE e.changes END,
        e.created_at
      FROM unnest(claimed) AS n
      JOIN webhook_endpoint AS w ON w.company_id = company AND w.webhook_id = endpoint
      JOIN webhook_delivery AS d
        ON d.company_id = company AND d.webhook_id = endpoint AND d.seq = n
      JOIN event AS e ON e.company_id = company AND e.seq = n;
  END IF;
END $$;

-- Name: approval; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.approval (
    company_id uuid NOT NULL,
    approval_id uuid NOT NULL,
    place smallint,
    key_id uuid NOT NULL,
    operation text NOT NULL,
    body text NOT NULL,
    request_hash bytea NOT NULL,
    campaign_id bigint,
    version integer,
    currency text NOT NULL,
    commits numeric(20,2),
    adds numeric(20,2),
    state public.approval_state DEFAULT 'pending'::text NOT NULL,
    reason text,
    requested_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    decided_at timestamp(3) with time zone,
    run_in xid8,
    CONSTRAINT approval_commits CHECK (((commits > (0)::numeric) AND (adds > (0)::numeric) AND ((commits IS NOT NULL) OR (adds IS NULL)))),
    CONSTRAINT approval_decided CHECK ((((state)::text = 'pending'::text) = (decided_at IS NULL))),
    CONSTRAINT approval_place CHECK ((((place >= 1) AND (place <= 50)) AND ((place IS NULL) = ((state)::text <> 'pending'::text)))),
    CONSTRAINT approval_reason CHECK ((((char_length(reason) >= 1) AND (char_length(reason) <= 500)) AND ((reason IS NULL) OR ((state)::text = 'refused'::text)))),
    CONSTRAINT approval_run CHECK (((run_in IS NULL) OR ((state)::text = 'approved'::text)))
);

-- Name: TABLE approval; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.approval IS 'distributed by company_id';

-- Name: close_approval(public.approval, text, text, timestamp with time zone, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.close_approval(a public.approval, becomes text, why text, ended timestamp with time zone, actor text, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := a.company_id;
  closed CONSTANT uuid := a.approval_id;
BEGIN
  UPDATE approval AS o SET state = becomes, reason = why, decided_at = ended, place = NULL
  WHERE o.company_id = company AND o.approval_id = closed;
  PERFORM record_approval_event(a, 2, 'approval.' || becomes, actor,
    jsonb_strip_nulls(jsonb_build_object('reason', why)), moment);
END $$;

-- Name: close_dispute(public.campaign, public.participation, text, text, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.close_dispute(c public.campaign, part public.participation, decision text, said text, caller text, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := part.company_id;
  participation CONSTANT uuid := part.participation_id;
  d dispute%ROWTYPE;
  has_lapsed boolean;
  outcome text;
BEGIN
  SELECT * INTO d FROM dispute AS o
  WHERE o.company_id = company AND o.participation_id = participation;
  IF (d.state = 'open') IS NOT TRUE THEN
    RETURN;
  END IF;
  has_lapsed := d.lapses_at <= moment;
  outcome := CASE WHEN has_lapsed THEN 'declined' ELSE decision END;
  PERFORM record_response_event(c, part, 'dispute.' || outcome,
    CASE WHEN has_lapsed THEN 'service' ELSE caller END,
    jsonb_build_object('has_lapsed', has_lapsed)
      || CASE WHEN has_lapsed OR said IS NULL THEN '{}'::jsonb
        ELSE jsonb_build_object('note', said) END);
  UPDATE dispute AS o SET state = outcome,
    decided_at = CASE WHEN has_lapsed THEN d.lapses_at ELSE greatest(moment, d.opened_at) END,
    note = CASE WHEN has_lapsed THEN NULL ELSE said END
  WHERE o.company_id = company AND o.participation_id = participation;
END $$;

-- Name: close_settlement(uuid, uuid, text, text, bigint, bigint, bytea, bigint[], bigint[], numeric[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.close_settlement(company uuid, id uuid, of_platform text, in_currency text, after bigint, through bigint, hash bytea, campaigns_of bigint[], counts bigint[], amounts numeric[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- A cluster refuses subqueries in an INSERT.
  previous CONSTANT uuid := (
    SELECT s.settlement_id FROM settlement AS s
    WHERE s.company_id = company AND s.platform = of_platform AND s.to_seq = after);
  number CONSTANT bigint := (SELECT sum(n) FROM unnest(counts) AS n);
  total CONSTANT numeric := (SELECT sum(n) FROM unnest(amounts) AS n);
BEGIN
  INSERT INTO settlement (company_id, settlement_id, platform, currency, from_seq, to_seq,
    previous_id, payments, campaigns, net, sha256)
  VALUES (company, id, of_platform, in_currency, after, through, previous, number,
    cardinality(campaigns_of), total, hash);
  INSERT INTO settlement_line (company_id, settlement_id, position, campaign_id, payments, net)
  SELECT company, id, l.position, l.campaign, l.payments, l.net
  FROM unnest(campaigns_of, counts, amounts) WITH ORDINALITY
    AS l (campaign, payments, net, position);
END $$;

-- Name: closed_campaigns(uuid, bigint[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.closed_campaigns(company uuid, campaigns bigint[], older timestamp with time zone) RETURNS bigint[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

-- Name: coarse_key(text, text, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.coarse_key(kind text, key text, level integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE kind
    WHEN 'date' THEN left(key, CASE level WHEN 0 THEN 10 WHEN 1 THEN 7 ELSE 4 END)
    WHEN 'order' THEN array_to_string(
      (string_to_array(key, ' '))[1:greatest(1, 20 - level)], ' '
    )
    ELSE trim_scale(
      CASE WHEN level = 0 OR key::numeric = 0 THEN key::numeric
        ELSE round(key::numeric, 2 - floor(log(abs(key::numeric)))::integer) END
    )::text
  END
$$;

-- Name: coarsen_tally(uuid, smallint, bigint, integer, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.coarsen_tally(company uuid, in_cell smallint, campaign_of bigint, version_of integer, kind_of text, item_of text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  values_maximum CONSTANT integer := 1000;
  level_maximum CONSTANT integer := CASE kind_of WHEN 'value' THEN 1 WHEN 'date' THEN 2 ELSE 19 END;
  level integer;
  many integer;
  merged record;
BEGIN
  SELECT t.cohort_1::integer INTO level FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = in_cell AND t.kind = 'coarse' AND t.item = item_of AND t.key = '';
  level := coalesce(level, 0);
  IF level >= level_maximum THEN
    RETURN;
  END IF;
  SELECT count(*) INTO many FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of;
  IF many <= values_maximum THEN
    RETURN;
  END IF;
  WHILE many > values_maximum AND level < level_maximum LOOP
    level := level + 1;
    SELECT count(DISTINCT coarse_key(kind_of, t.key, level)) INTO many FROM tally AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
      AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of;
  END LOOP;
  SELECT array_agg(m.key) AS key, array_agg(m.cohort_1) AS cohort_1,
    array_agg(m.cohort_2) AS cohort_2, array_agg(m.cohort_3) AS cohort_3,
    array_agg(m.cohort_4) AS cohort_4, array_agg(m.cohort_5) AS cohort_5
  INTO merged
  FROM (
    SELECT coarse_key(kind_of, t.key, level) AS key, sum(t.cohort_1) AS cohort_1,
      sum(t.cohort_2) AS cohort_2, sum(t.cohort_3) AS cohort_3, sum(t.cohort_4) AS cohort_4,
      sum(t.cohort_5) AS cohort_5
    FROM tally AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
      AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of
    GROUP BY 1
  ) AS m;
  DELETE FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = in_cell AND t.kind = kind_of AND t.item = item_of;
  INSERT INTO tally (company_id, campaign_id, version, cell, kind, item, key,
    cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
  SELECT company, campaign_of, version_of, in_cell, kind_of, item_of, m.*
  FROM unnest(merged.key, merged.cohort_1, merged.cohort_2, merged.cohort_3, merged.cohort_4,
    merged.cohort_5) AS m;
  INSERT INTO tally AS t (company_id, campaign_id, version, cell, kind, item, key,
    cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
  VALUES (company, campaign_of, version_of, in_cell, 'coarse', item_of, '', level, 0, 0, 0, 0)
  ON CONFLICT (company_id, campaign_id, version, cell, kind, item, key) DO UPDATE
  SET cohort_1 = excluded.cohort_1;
END $$;

-- Name: column_count(jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.column_count(question jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE question ->> 'type'
    WHEN 'single_choice' THEN jsonb_array_length(question -> 'options')
    WHEN 'multiple_choice' THEN jsonb_array_length(question -> 'options')
    WHEN 'checkbox' THEN 2
    WHEN 'nps' THEN 3
    WHEN 'rating' THEN 1 + floor(
      ((question -> 'scale' ->> 'max')::numeric - (question -> 'scale' ->> 'min')::numeric)
        / rating_step(question -> 'scale'))::integer
  END
$$;

-- Name: column_numbers(jsonb, jsonb, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.column_numbers(question jsonb, positions jsonb, value jsonb) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE
    WHEN value IS NULL THEN '{0}'::integer[]
    ELSE CASE question ->> 'type'
      WHEN 'single_choice' THEN ARRAY[coalesce((positions ->> (value #>> '{}'))::integer, 0)]
      WHEN 'multiple_choice' THEN (
        SELECT coalesce(array_agg((positions ->> o.option)::integer), '{0}')
        FROM jsonb_array_elements_text(value) AS o (option)
        WHERE positions ? o.option
      )
      WHEN 'checkbox' THEN ARRAY[CASE WHEN value = 'true' THEN 1 ELSE 2 END]
      WHEN 'nps' THEN ARRAY[CASE WHEN value::integer <= 6 THEN 1 WHEN value::integer <= 8 THEN 2
        ELSE 3 END]
      WHEN 'rating' THEN ARRAY[1 + floor((value::numeric - (question -> 'scale' ->> 'min')::numeric)
        / rating_step(question -> 'scale'))::integer]
      ELSE '{0}'::integer[]
    END
  END
$$;

-- Name: commitment_of(uuid, bigint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.commitment_of(company uuid, campaign_of bigint) RETURNS numeric
    LANGUAGE plpgsql
    AS $$
DECLARE
  c campaign%ROWTYPE;
BEGIN
  SELECT * INTO c FROM campaign AS o WHERE o.company_id = company AND o.id = campaign_of;
  RETURN campaign_commitment(c);
END $$;

-- Name: committed_by(uuid, uuid, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.committed_by(company uuid, spender_of uuid, per text, OUT committed numeric, OUT resets_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  today date := utc_day();
  current_period text := spending_period(per, today);
BEGIN
  SELECT s.committed INTO committed FROM key_spending AS s
  WHERE s.company_id = company AND s.spender = spender_of AND s.period = current_period;
  committed := coalesce(committed, 0);
  resets_at := spending_resets(per, today);
END $$;

-- Name: count_begin(uuid, bigint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.count_begin(company uuid, campaign_of bigint, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  current_minute integer := floor(extract(epoch FROM moment) / 60);
  last_minute integer;
  counts integer[];
  passed integer;
BEGIN
  SELECT b.minute, b.begun INTO last_minute, counts FROM begin_pace AS b
  WHERE b.company_id = company AND b.campaign_id = campaign_of;
  IF NOT FOUND THEN
    INSERT INTO begin_pace (company_id, campaign_id, minute, begun)
    VALUES (company, campaign_of, current_minute, array_fill(0, ARRAY[60]) || 1);
    RETURN;
  END IF;
  passed := least(greatest(current_minute - last_minute, 0), 61);
  counts := counts[passed + 1:61] || array_fill(0, ARRAY[passed]);
  counts[61] := counts[61] + 1;
  UPDATE begin_pace AS b SET minute = greatest(last_minute, current_minute), begun = counts
  WHERE b.company_id = company AND b.campaign_id = campaign_of;
END $$;

-- Name: cross_amounts(uuid, bigint, integer, integer, integer, integer, timestamp with time zone, uuid, bigint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.cross_amounts(company uuid, campaign_of bigint, version_of integer, row_of integer, column_of integer, level integer, after_time timestamp with time zone, after_id uuid, up_to bigint, recent timestamp with time zone) RETURNS TABLE(reached_at timestamp with time zone, reached_id uuid, column_name text, kind text, item text, keys text[], amounts text)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $_$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH question AS MATERIALIZED (
    SELECT r.row, r.row ->> 'type' AS type, r.row -> 'scale' AS scale, c.column,
      CASE WHEN r.row ->> 'type' = 'matrix' THEN option_positions(r.row -> 'rows') END AS positions,
      option_positions(c.column -> 'options') AS column_positions,
      r.row @? '$.options[*].show_if' AS has_offers
    FROM question_set AS s
    CROSS JOIN LATERAL (SELECT s.questions -> (row_of - 1) AS row) AS r
    CROSS JOIN LATERAL (SELECT s.questions -> (column_of - 1) AS column) AS c
    WHERE s.company_id = company AND s.campaign_id = campaign_of AND s.version = version_of
  ), next AS (
    SELECT p.closed_at, p.participation_id, coalesce(octet_length(p.answers), 0) AS size
    FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id + 0 = campaign_of
      AND p.state IN ('submitted', 'reversed')
      AND (p.closed_at, p.participation_id) > (after_time, after_id)
    ORDER BY p.closed_at, p.participation_id LIMIT 10000
  ), reached AS MATERIALIZED (
    SELECT m.closed_at, m.participation_id FROM (
      SELECT n.closed_at, n.participation_id, n.size, sum(n.size) OVER (
        ORDER BY n.closed_at, n.participation_id ROWS UNBOUNDED PRECEDING
      ) AS sum
      FROM next AS n
    ) AS m
    WHERE m.sum - m.size < 8388608
    ORDER BY m.closed_at DESC, m.participation_id DESC LIMIT 1
  ), given AS MATERIALIZED (
    -- The responses that are equal. To parse all answers takes five times as long as to take two of
    -- them out. What one begins with is in no text, where quotes are escaped; answers that may have
    -- it in a value are parsed.
    SELECT b.cohort, b.platform,
      CASE WHEN b.is_other
        THEN jsonb_build_object('value', answer_to(b.answers::jsonb, row_of))::text
        ELSE split_part(split_part(b.answers, '{"question":' || row_of || ',', 2),
          ',{"question":', 1)
      END AS row_text,
      CASE WHEN b.is_other
        THEN jsonb_build_object('value', answer_to(b.answers::jsonb, column_of))::text
        ELSE split_part(split_part(b.answers, '{"question":' || column_of || ',', 2),
          ',{"question":', 1)
      END AS column_text,
      CASE WHEN q.has_offers THEN b.answers END AS answers, count(*) AS n
    FROM (
      SELECT p.cohort, CASE WHEN column_of IS NULL THEN p.platform END AS platform,
        p.answers::text AS answers,
        strpos(p.answers, '[{"question":') <> 1 OR strpos(p.answers, ':{"question":') > 0
          AS is_other
      FROM participation AS p
      WHERE p.company_id = company AND p.campaign_id + 0 = campaign_of
        AND p.state IN ('submitted', 'reversed')
        AND (p.closed_at, p.participation_id) > (after_time, after_id)
        AND (p.closed_at, p.participation_id)
          <= ((SELECT r.closed_at FROM reached AS r), (SELECT r.participation_id FROM reached AS r))
        AND p.state = 'submitted' AND p.question_set_version = version_of AND p.answers IS NOT NULL
        AND (p.closed_at < recent OR NOT EXISTS (
          SELECT FROM event AS e
          WHERE e.company_id = company AND e.subject = p.participation_id AND e.version = 1
            AND e.seq > up_to
        ) AND NOT EXISTS (
          SELECT FROM unnumbered_event AS u
          WHERE u.company_id = company AND u.subject = p.participation_id AND u.version = 1
        ))
      OFFSET 0
    ) AS b
    CROSS JOIN question AS q
    GROUP BY 1, 2, 3, 4, 5
  ), valued AS MATERIALIZED (
    -- Taken out, an answer has lost its beginning and, if it is the last one, has the end of the list.
    SELECT g.cohort, g.platform, g.answers::jsonb AS answers, g.n,
      nullif(rtrim('{' || ltrim(g.row_text, '{'), ']'), '{')::jsonb -> 'value' AS row_value,
      nullif(rtrim('{' || ltrim(g.column_text, '{'), ']'), '{')::jsonb -> 'value' AS column_value
    FROM given AS g
  ), crossed AS MATERIALIZED (
    SELECT g.cohort, g.row_value, g.answers, c.column_name, g.n
    FROM (
      SELECT * FROM valued AS v WHERE jsonb_typeof(v.row_value) <> 'null'
    ) AS g CROSS JOIN question AS q
    CROSS JOIN LATERAL unnest(
      CASE WHEN column_of IS NULL THEN ARRAY[g.platform]
        ELSE column_numbers(q.column, q.column_positions, nullif(g.column_value, 'null'))::text[] END
      || CASE WHEN q.column ->> 'type' = 'multiple_choice' THEN ARRAY['*'] END
    ) AS c (column_name)
  ), amount AS (
    -- A cluster loses names that stand in the head of a WITH.
    SELECT c.column_name, m.kind, m.part, m.key, c.cohort, c.n * m.n AS n
    FROM crossed AS c CROSS JOIN question AS q
    CROSS JOIN LATERAL (
      SELECT 'answered' AS kind, '' AS part, '' AS key, 1::numeric AS n
      UNION ALL
      SELECT 'option', '', c.row_value #>> '{}', 1 WHERE q.type = 'single_choice'
      UNION ALL
      SELECT 'option', '', o.option, 1
      FROM jsonb_array_elements_text(
        CASE WHEN q.type = 'multiple_choice' THEN c.row_value ELSE '[]' END
      ) AS o (option)
      UNION ALL
      SELECT a.kind, a.part, a.key, a.n
      FROM answer_amounts(q.type, q.scale, q.positions, level, c.row_value) AS a
      WHERE q.type NOT IN ('single_choice', 'multiple_choice')
    ) AS m
    UNION ALL
    SELECT c.column_name, 'offered', p.part, o.option, c.cohort, c.n
    FROM crossed AS c CROSS JOIN question AS q
    CROSS JOIN LATERAL (SELECT answers_by_key(c.answers) AS answered OFFSET 0) AS d
    CROSS JOIN LATERAL (
      SELECT '' AS part WHERE q.type <> 'matrix'
      UNION ALL
      SELECT '.' || (q.positions ->> r.row)
      FROM jsonb_object_keys(CASE WHEN q.type = 'matrix' THEN c.row_value ELSE '{}' END) AS r (row)
    ) AS p
    CROSS JOIN LATERAL (
      SELECT coalesce(e.option ->> 'key', e.option ->> 'text') AS option
      FROM jsonb_array_elements(q.row -> 'options') AS e (option)
      WHERE is_shown(e.option -> 'show_if', d.answered)
    ) AS o
    WHERE q.has_offers
  ), summed AS (
    SELECT a.column_name, a.kind, row_of || a.part AS item, a.key,
      concat_ws(' ',
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 1), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 2), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 3), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 4), 0),
        coalesce(sum(a.n) FILTER (WHERE a.cohort = 5), 0)) AS amounts
    FROM amount AS a GROUP BY a.column_name, a.kind, a.part, a.key
  )
  SELECT NULL::timestamptz, NULL::uuid, s.column_name, s.kind, s.item, array_agg(s.key),
    string_agg(s.amounts, ',')
  FROM summed AS s GROUP BY s.column_name, s.kind, s.item
  UNION ALL
  SELECT r.closed_at, r.participation_id, NULL, NULL, NULL, NULL, NULL FROM reached AS r;
END $_$;

-- Name: currency_places(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.currency_places(currency text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT CASE WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF',
    'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0 ELSE 2 END
$$;

-- Name: decide_approval(uuid, uuid, text, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.decide_approval(company uuid, approval uuid, decision text, why text, actor text, OUT asked public.approval, OUT decided boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment timestamptz(3);
BEGIN
  decided := false;
  PERFORM expire_approvals(company);
  SELECT * INTO asked FROM approval AS a
  WHERE a.company_id = company AND a.approval_id = approval
  FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF asked.state IS DISTINCT FROM 'pending' OR asked.expires_at <= moment THEN
    RETURN;
  END IF;
  IF decision = 'approved' THEN
    UPDATE approval AS a SET state = decision, decided_at = moment, place = NULL
    WHERE a.company_id = company AND a.approval_id = approval;
  ELSE
    PERFORM close_approval(asked, decision, why, moment, actor, moment);
  END IF;
  asked.state := decision;
  decided := true;
END $$;

-- Name: dispute; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.dispute (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    platform text NOT NULL,
    state public.dispute_state DEFAULT 'open'::text NOT NULL,
    reason text NOT NULL,
    note text,
    opened_at timestamp(3) with time zone NOT NULL,
    lapses_at timestamp(3) with time zone NOT NULL,
    decided_at timestamp(3) with time zone,
    CONSTRAINT dispute_decided CHECK ((((state)::text = 'open'::text) = (decided_at IS NULL))),
    CONSTRAINT dispute_texts CHECK ((((char_length(reason) >= 1) AND (char_length(reason) <= 500)) AND ((char_length(note) >= 1) AND (char_length(note) <= 500)))),
    CONSTRAINT dispute_times CHECK (((lapses_at > opened_at) AND (decided_at >= opened_at)))
);

-- Name: TABLE dispute; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.dispute IS 'distributed by company_id';

-- Name: decide_dispute(uuid, bigint, uuid, boolean, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.decide_dispute(company uuid, campaign_of bigint, participation uuid, is_accepted boolean, said text, caller text, OUT disputed public.dispute, OUT became text) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  SELECT * INTO disputed FROM dispute AS d
  WHERE d.company_id = company AND d.participation_id = participation;
  IF (disputed.state = 'open') IS NOT TRUE THEN
    RETURN;
  END IF;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF is_accepted AND disputed.lapses_at > moment THEN
    SELECT r.became INTO became
    FROM reverse_participation(
      company, campaign_of, participation, disputed.reason, caller, moment) AS r;
  ELSE
    SELECT * INTO c FROM campaign AS o
    WHERE o.company_id = company AND o.id = campaign_of
    FOR NO KEY UPDATE;
    PERFORM close_dispute(c, part, 'declined', said, caller, moment);
  END IF;
  SELECT * INTO disputed FROM dispute AS d
  WHERE d.company_id = company AND d.participation_id = participation;
END $$;

-- Name: declare_tabulations(uuid, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.declare_tabulations(company uuid, campaign_of bigint, reached bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

-- Name: erase_cells(uuid, bigint[], uuid[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.erase_cells(company uuid, campaigns bigint[], participations uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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

-- Name: erase_participations(uuid, bigint[], uuid[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.erase_participations(company uuid, campaigns bigint[], participations uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE participation AS p SET respondent = NULL, submission = NULL, answers = NULL,
    text_hash = NULL, answer_percentile = NULL, longest_run = NULL, compared_answers = NULL,
    consistency = NULL, text_repeats = NULL, quality_flags = NULL
  WHERE p.company_id = company AND p.campaign_id = ANY (campaigns)
    AND p.participation_id = ANY (participations);
END $$;

-- Name: expire_approvals(uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.expire_approvals(company uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  a approval%ROWTYPE;
  moment timestamptz := clock_timestamp();
BEGIN
  FOR a IN
    SELECT * FROM approval AS o
    WHERE o.company_id = company AND o.state = 'pending' AND o.expires_at <= moment
    ORDER BY o.approval_id
    FOR NO KEY UPDATE
  LOOP
    PERFORM close_approval(a, 'expired', NULL, a.expires_at, 'service', moment);
  END LOOP;
END $$;

-- Name: expire_participations(uuid, bigint, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.expire_participations(company uuid, campaign_of bigint, patience integer DEFAULT 0) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
  moment timestamptz(3);
  expired uuid[];
BEGIN
  IF patience > 0 THEN
    PERFORM set_config('lock_timeout', patience::text, true);
  END IF;
  PERFORM 1 FROM campaign AS o WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  SELECT array_agg(o.participation_id) INTO expired FROM (
    SELECT p.participation_id FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id = campaign_of AND p.state = 'open'
      AND p.expires_at <= moment
    ORDER BY p.expires_at LIMIT 500
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS o;
  IF expired IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM release_participations(company, campaign_of, expired, 'expired', moment);
  RETURN cardinality(expired);
END $$;

-- Name: field_change(text, anyelement, anyelement); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.field_change(field text, old anyelement, new anyelement) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE WHEN old IS DISTINCT FROM new
    THEN jsonb_build_object(field, jsonb_build_object('old', old, 'new', new))
    ELSE '{}'
  END
$$;

-- Name: fill_tabulation(uuid, bigint, smallint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.fill_tabulation(company uuid, campaign_of bigint, number_of smallint) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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

-- Name: finish_approval(uuid, uuid, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.finish_approval(company uuid, approval uuid, post text, actor text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
  a approval%ROWTYPE;
  campaign_of bigint;
  becomes numeric;
BEGIN
  SELECT c.id INTO campaign_of FROM campaign AS c WHERE c.company_id = company AND c.post_id = post;
  becomes := commitment_of(company, campaign_of);
  UPDATE approval AS o SET campaign_id = campaign_of, run_in = NULL
  WHERE o.company_id = company AND o.approval_id = approval
  RETURNING * INTO a;
  PERFORM record_approval_event(a, 2, 'approval.approved', actor, '{}', clock_timestamp());
  RETURN a.commits IS NULL OR becomes <= a.commits;
END $$;

-- Name: finish_delivery(uuid, text, bigint, integer, text, jsonb, interval, interval, integer, integer, interval); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.finish_delivery(company uuid, endpoint text, delivery bigint, held integer, outcome text, attempt jsonb, pause interval, patience interval, most integer, at_once integer, lease interval) RETURNS TABLE(seq bigint, claim integer, failures integer, claimed_at timestamp with time zone, url text, secret bytea, previous_secret bytea, subject uuid, version integer, type text, actor text, changes jsonb, created_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz(3);
  next_attempt timestamptz(3);
  failing timestamptz;
  disabling text;
BEGIN
  SELECT w.failing_since INTO failing FROM webhook_endpoint AS w
  WHERE w.company_id = company AND w.webhook_id = endpoint
  FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  moment := clock_timestamp();
  next_attempt := moment + pause;
  UPDATE webhook_delivery AS d SET
    state = CASE WHEN outcome = 'delivered' THEN 'delivered'
      WHEN pause IS NULL THEN 'failed' ELSE 'pending' END,
    due_at = CASE WHEN outcome <> 'delivered' THEN next_attempt END,
    finished_at = CASE WHEN outcome = 'delivered' OR pause IS NULL THEN moment END,
    claimed_at = NULL,
    failures = d.failures + CASE WHEN outcome IN ('failed', 'gone') THEN 1 ELSE 0 END,
    attempts = append_attempt(d.attempts, attempt)
  WHERE d.company_id = company AND d.webhook_id = endpoint AND d.seq = delivery
    AND d.claim = held AND d.claimed_at IS NOT NULL;
  IF FOUND THEN
    IF outcome = 'delivered' THEN
      IF failing IS NOT NULL THEN
        UPDATE webhook_endpoint AS w SET failing_since = NULL
        WHERE w.company_id = company AND w.webhook_id = endpoint;
      END IF;
    ELSIF outcome <> 'interrupted' THEN
      failing := coalesce(failing, moment);
      disabling := CASE WHEN outcome = 'gone' THEN 'gone'
        WHEN pause IS NULL AND failing <= moment - patience THEN 'failing' END;
      UPDATE webhook_endpoint AS w SET
        failing_since = failing,
        version = w.version + CASE WHEN w.enabled AND disabling IS NOT NULL THEN 1 ELSE 0 END,
        updated_by = CASE WHEN w.enabled AND disabling IS NOT NULL THEN 'service'
          ELSE w.updated_by END,
        updated_at = CASE WHEN w.enabled AND disabling IS NOT NULL
          THEN greatest(moment, w.updated_at) ELSE w.updated_at END,
        due_at = CASE WHEN disabling IS NULL THEN w.due_at END,
        disabled_reason = CASE WHEN w.enabled THEN disabling ELSE w.disabled_reason END,
        enabled = w.enabled AND disabling IS NULL
      WHERE w.company_id = company AND w.webhook_id = endpoint;
    END IF;
  END IF;
  RETURN QUERY SELECT * FROM claim_deliveries(company, endpoint, most, at_once, lease);
END $$;

-- Name: fold_responses(uuid, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.fold_responses(company uuid, batch integer) RETURNS TABLE(folded integer, reached bigint, last bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
DECLARE
  -- Bytes of answers after which no other response follows. A response has a few hundred; one that
  -- ticks all 25,000 options of the longest question set has more than 0.5 MB, and takes 0.2 s.
  answers_maximum CONSTANT integer := 1024 * 1024;
  campaigns bigint[];
  participations uuid[];
  up_to bigint;
  left_out bigint;
BEGIN
  folded := 0;
  SELECT s.last_seq INTO last FROM event_sequence AS s WHERE s.company_id = company;
  last := coalesce(last, 0);
  SELECT t.folded_seq INTO reached FROM tally_position AS t WHERE t.company_id = company;
  -- Whoever finds nothing to do waits for nobody.
  IF (reached >= last) IS NOT TRUE THEN
    reached := lock_tally(company);
  END IF;
  IF reached < last THEN
    up_to := least(last, reached + batch);
    SELECT array_agg(n.campaign_id ORDER BY n.seq) FILTER (WHERE n.before < answers_maximum),
      array_agg(n.subject ORDER BY n.seq) FILTER (WHERE n.before < answers_maximum),
      min(n.seq) FILTER (WHERE n.before >= answers_maximum)
    INTO campaigns, participations, left_out
    FROM (
      SELECT e.seq, e.subject, c.id AS campaign_id, coalesce(sum(p.size) OVER (
        ORDER BY e.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM event AS e
      CROSS JOIN LATERAL (
        SELECT o.id FROM campaign AS o
        WHERE o.company_id = company AND o.post_id = e.changes ->> 'post_id' LIMIT 1
      ) AS c
      CROSS JOIN LATERAL (
        SELECT octet_length(o.answers) AS size FROM participation AS o
        WHERE o.company_id = company AND o.campaign_id = c.id AND o.participation_id = e.subject
        LIMIT 1
      ) AS p
      WHERE e.company_id = company AND e.seq > reached AND e.seq <= up_to
        AND e.type = 'response.submitted'
    ) AS n;
    up_to := coalesce(left_out - 1, up_to);
    PERFORM declare_tabulations(company, c.id, reached)
    FROM event AS e
    JOIN campaign AS c ON c.company_id = company AND c.post_id = printed_id('post', e.subject)
    WHERE e.company_id = company AND e.seq > reached AND e.seq <= up_to
      AND e.type IN ('campaign.created', 'campaign.updated')
      AND e.changes ?| '{banners,margins}';
    IF campaigns IS NOT NULL THEN
      PERFORM add_to_tally(company, campaigns, participations, false);
      folded := cardinality(campaigns);
    END IF;
    UPDATE tally_position AS t SET folded_seq = up_to WHERE t.company_id = company;
    reached := up_to;
  END IF;
  RETURN NEXT;
END $$;

-- Name: forget_signals(uuid, bigint[], uuid[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.forget_signals(company uuid, campaigns bigint[], participations uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  changed uuid := gen_random_uuid();
  remembered record;
BEGIN
  INSERT INTO guardrail_position (company_id, seq, revision) VALUES (company, 0, changed)
  ON CONFLICT (company_id) DO UPDATE SET revision = excluded.revision;
  DELETE FROM guardrail_position AS p
  WHERE p.company_id = company
    AND NOT EXISTS (SELECT FROM guardrail AS g WHERE g.company_id = company);
  FOR remembered IN
    SELECT w.post_id, w.guardrail_id, at.path, (n.place - 1)::text AS place
    FROM unnest(campaigns, participations) AS o (campaign_id, participation_id)
    JOIN campaign AS c ON c.company_id = company AND c.id = o.campaign_id
    JOIN guardrail_watch AS w ON w.company_id = company AND w.post_id = c.post_id
    CROSS JOIN LATERAL (
      SELECT e.seq FROM event AS e
      WHERE e.company_id = company AND e.subject = o.participation_id AND e.version = 1
      UNION ALL
      SELECT a.seq FROM archived_submission AS a
      WHERE a.company_id = company AND a.participation_id = o.participation_id
    ) AS submission
    -- Of all responses, and of those of each quota that is named.
    CROSS JOIN LATERAL (
      SELECT ARRAY['window'] AS path
      UNION ALL
      SELECT ARRAY['quotas', (q.place - 1)::text, 'state', 'window']
      FROM jsonb_array_elements(w.state -> 'quotas') WITH ORDINALITY AS q (quota, place)
    ) AS at
    CROSS JOIN LATERAL jsonb_array_elements(w.state #> (at.path || 'seq'::text))
      WITH ORDINALITY AS n (seq, place)
    WHERE n.seq = to_jsonb(submission.seq)
    ORDER BY w.post_id, w.guardrail_id
  LOOP
    UPDATE guardrail_watch AS w
    SET state = jsonb_set(w.state, remembered.path, (
      SELECT jsonb_object_agg(kept.key, CASE
        WHEN kept.key = 'quality' THEN jsonb_set(kept.value, ARRAY[remembered.place], '0')
        WHEN starts_with(kept.key, 'answer ')
          THEN jsonb_set(kept.value, ARRAY[remembered.place], 'null')
        -- That the response counted in a quota.
        WHEN kept.key = 'seq' AND cardinality(remembered.path) > 1
          THEN jsonb_set(kept.value, ARRAY[remembered.place], '0')
        ELSE kept.value END)
      FROM jsonb_each(w.state #> remembered.path) AS kept
    ))
    WHERE w.company_id = company AND w.post_id = remembered.post_id
      AND w.guardrail_id = remembered.guardrail_id;
  END LOOP;
END $$;

-- Name: fund_balance(uuid, text, text, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.fund_balance(company uuid, own_reference text, own_kind text, own_amount numeric, OUT is_new boolean, OUT available numeric) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  signed CONSTANT numeric := CASE own_kind WHEN 'refund' THEN -own_amount ELSE own_amount END;
  known record;
BEGIN
  INSERT INTO balance AS b (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  SELECT b.available INTO available FROM balance AS b WHERE b.company_id = company
  FOR NO KEY UPDATE;
  SELECT f.kind, f.amount INTO known FROM funding AS f
  WHERE f.company_id = company AND f.reference = own_reference;
  is_new := NOT FOUND;
  IF NOT is_new THEN
    IF known.kind <> own_kind OR known.amount <> own_amount THEN
      RAISE EXCEPTION 'another funding violates constraint "funding_reference_reused"'
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'funding_reference_reused';
    END IF;
    RETURN;
  END IF;
  UPDATE balance AS b SET available = b.available + signed, funded = b.funded + signed
  WHERE b.company_id = company
  RETURNING b.available INTO available;
  INSERT INTO funding (company_id, reference, kind, amount)
  VALUES (company, own_reference, own_kind, own_amount);
  PERFORM record_balance_event(company, 'balance.' || own_kind || 'ed', jsonb_build_object(
    'amount', own_amount, 'reference', own_reference, 'available', available));
  PERFORM mark_allotment_due(company, 0, true);
  IF signed > 0 THEN
    PERFORM wake_allotments(company);
  END IF;
END $$;

-- Name: give_up_deliveries(uuid, timestamp with time zone, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.give_up_deliveries(company uuid, abandoned timestamp with time zone, most integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
  endpoint record;
  ended integer;
  first bigint;
  total integer := 0;
BEGIN
  PERFORM 1 FROM event_sequence AS s WHERE s.company_id = company FOR UPDATE;
  FOR endpoint IN
    SELECT w.webhook_id, w.updated_at, w.claimed_seq, w.missed_from_seq, w.missed_to_seq
    FROM webhook_endpoint AS w
    WHERE w.company_id = company AND NOT w.enabled AND w.updated_at < abandoned
    ORDER BY w.webhook_id FOR UPDATE
  LOOP
    WITH given_up AS (
      UPDATE webhook_delivery AS d
      SET state = 'failed', due_at = NULL, claimed_at = NULL, finished_at = endpoint.updated_at
      WHERE d.company_id = company AND d.webhook_id = endpoint.webhook_id AND d.due_at IS NOT NULL
        AND d.ctid = ANY (ARRAY(
          SELECT o.ctid FROM webhook_delivery AS o
          WHERE o.company_id = company AND o.webhook_id = endpoint.webhook_id
            AND o.due_at IS NOT NULL
          LIMIT most - total
        ))
      RETURNING d.seq
    )
    SELECT count(*), min(g.seq) INTO ended, first FROM given_up AS g;
    CONTINUE WHEN ended = 0;
    total := total + ended;
    UPDATE webhook_endpoint AS w
    SET missed_to_seq = endpoint.claimed_seq,
      missed_from_seq = CASE WHEN endpoint.missed_to_seq = endpoint.claimed_seq
        THEN least(endpoint.missed_from_seq, first) ELSE first END
    WHERE w.company_id = company AND w.webhook_id = endpoint.webhook_id;
  END LOOP;
  RETURN total;
END $$;

-- Name: has_place(integer, numeric, integer, numeric, numeric, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.has_place(max_responses integer, budget numeric, taken integer, held numeric, spent numeric, largest_reward numeric) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT (taken < max_responses) IS NOT FALSE
    AND (held + spent + largest_reward <= budget) IS NOT FALSE
$$;

-- Name: is_dearer(public.campaign, public.campaign); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.is_dearer(before public.campaign, after public.campaign) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := after.company_id;
  campaign_of CONSTANT bigint := after.id;
  old CONSTANT integer := before.targeting_version;
  new CONSTANT integer := after.targeting_version;
BEGIN
  RETURN EXISTS (
    SELECT FROM unnest(before.cohort_rewards::numeric[], after.cohort_rewards::numeric[])
      AS r (earlier, later)
    WHERE r.earlier < r.later
  ) OR coalesce((
    SELECT (t.content ->> 'screen_out_reward')::numeric FROM targeting AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = old
  ), 0) < coalesce((
    SELECT (t.content ->> 'screen_out_reward')::numeric FROM targeting AS t
    WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = new
  ), 0);
END $$;

-- Name: is_question_shown(jsonb, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.is_question_shown(question jsonb, answered jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  entries jsonb;
  condition jsonb;
  is_any_left boolean;
BEGIN
  IF question ? 'show_if' AND NOT is_shown(question -> 'show_if', answered) THEN
    RETURN false;
  END IF;
  FOREACH entries IN ARRAY ARRAY[question -> 'options', question -> 'rows'] LOOP
    is_any_left := entries IS NULL;
    FOR place IN 0 .. coalesce(jsonb_array_length(entries), 0) - 1 LOOP
      EXIT WHEN is_any_left;
      condition := entries -> place -> 'show_if';
      is_any_left := condition IS NULL OR is_shown(condition, answered);
    END LOOP;
    IF NOT is_any_left THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END $$;

-- Name: is_shown(jsonb, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.is_shown(show_if jsonb, answered jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
DECLARE
  is_all CONSTANT boolean := show_if ? 'all';
  entries CONSTANT jsonb := coalesce(show_if -> 'all', show_if -> 'any');
  entry jsonb;
  op text;
  wanted jsonb;
  given jsonb;
  holds boolean;
BEGIN
  FOR place IN 0 .. jsonb_array_length(entries) - 1 LOOP
    entry := entries -> place;
    op := entry ->> 'op';
    wanted := entry -> 'value';
    given := answered -> (entry ->> 'question');
    IF entry ? 'row' THEN
      given := given -> (entry ->> 'row');
    END IF;
    holds := CASE
      WHEN op IS NULL THEN is_shown(entry, answered)
      WHEN op = 'is' THEN given = wanted
      WHEN op = 'is_not' THEN (given = wanted) IS NOT TRUE
      WHEN op = 'includes' THEN given @> wanted
      WHEN op = 'excludes' THEN (given @> wanted) IS NOT TRUE
      WHEN op = 'answered' THEN given NOT IN ('null', '""', '[]', '{}')
      WHEN op = 'not_answered' THEN (given NOT IN ('null', '""', '[]', '{}')) IS NOT TRUE
      WHEN jsonb_typeof(given) <> jsonb_typeof(wanted) THEN false
      WHEN jsonb_typeof(given) = 'number' AND op = 'at_least' THEN given >= wanted
      WHEN jsonb_typeof(given) = 'number' THEN given <= wanted
      -- Dates of the same precision, as text.
      WHEN op = 'at_least' THEN given #>> '{}' COLLATE "C" >= wanted #>> '{}'
      ELSE given #>> '{}' COLLATE "C" <= wanted #>> '{}'
    END;
    -- A comparison with nothing does not hold.
    IF (holds IS TRUE) <> is_all THEN
      RETURN NOT is_all;
    END IF;
  END LOOP;
  RETURN is_all;
END $$;

-- Name: json_time(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.json_time(moment timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Name: keep_dispute_terms(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.keep_dispute_terms() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  broken CONSTANT text := CASE
    WHEN coalesce(NEW.review_days, 0) > coalesce(OLD.review_days, 0) THEN 'campaign_review_days_kept'
    WHEN coalesce(NEW.maximum_dispute_share, 0) > coalesce(OLD.maximum_dispute_share, 0)
      THEN 'campaign_dispute_share_kept'
  END;
BEGIN
  IF broken IS NOT NULL AND EXISTS (
    SELECT FROM campaign_progress AS g
    WHERE g.company_id = NEW.company_id AND g.campaign_id = NEW.id
      AND g.taken + g.abandoned + g.expired > 0
  ) THEN
    RAISE EXCEPTION 'a campaign violates constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

-- Name: leave_cells(uuid, bigint, smallint[], integer[], integer[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.leave_cells(company uuid, campaign_of bigint, own smallint[], opened integer[], answered integer[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  counts integer[];
BEGIN
  SELECT g.taken INTO counts FROM cell_counts AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  FOR n IN 1 .. cardinality(own) LOOP
    counts[own[n]] := counts[own[n]] - opened[n] - answered[n];
  END LOOP;
  UPDATE cell_counts AS g SET taken = counts
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF 0 < ANY (answered) THEN
    UPDATE quota_cell AS q SET submitted = q.submitted - n.answered
    FROM unnest(own, answered) AS n (cell, answered)
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = n.cell;
    PERFORM record_quotas(company, campaign_of);
  END IF;
END $$;

-- Name: lock_tally(uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.lock_tally(company uuid) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  reached bigint;
BEGIN
  LOOP
    SELECT t.folded_seq INTO reached FROM tally_position AS t WHERE t.company_id = company
    FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO tally_position (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN reached;
END $$;

-- Name: make_webhook_endpoints_due(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.make_webhook_endpoints_due() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  UPDATE webhook_endpoint AS w
  SET due_at = CASE WHEN w.enabled THEN least(w.due_at, moment) END
  WHERE w.company_id = NEW.company_id;
  RETURN NULL;
END $$;

-- Name: mark_allotment(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.mark_allotment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  full_at CONSTANT integer := 100;
  low_at CONSTANT integer := 50;
  c record;
  before numeric := OLD.allotment - OLD.held - OLD.spent;
  spare numeric := NEW.allotment - NEW.held - NEW.spent;
BEGIN
  SELECT o.is_live, o.largest_reward INTO c FROM campaign AS o
  WHERE o.company_id = NEW.company_id AND o.id = NEW.campaign_id;
  IF (CASE WHEN c.is_live THEN spare > 2 * full_at * c.largest_reward
      OR spare < low_at * c.largest_reward
        AND (before >= low_at * c.largest_reward OR spare < c.largest_reward)
    ELSE spare > 0 END)
  THEN
    PERFORM mark_allotment_due(NEW.company_id, NEW.campaign_id, NOT c.is_live);
  END IF;
  RETURN NEW;
END $$;

-- Name: mark_allotment_due(uuid, bigint, boolean); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.mark_allotment_due(company uuid, campaign_of bigint, changed boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  known record;
BEGIN
  SELECT d.is_waiting, d.is_dry INTO known FROM allotment_due AS d
  WHERE d.company_id = company AND d.campaign_id = campaign_of;
  IF NOT FOUND THEN
    INSERT INTO allotment_due (company_id, campaign_id) VALUES (company, campaign_of);
  ELSIF known.is_waiting AND (changed OR NOT known.is_dry) THEN
    UPDATE allotment_due AS d SET is_waiting = false
    WHERE d.company_id = company AND d.campaign_id = campaign_of;
  END IF;
END $$;

-- Name: next_response_version(public.participation); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.next_response_version(part public.participation) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  of_dispute integer;
BEGIN
  SELECT CASE d.state WHEN 'open' THEN 1 ELSE 2 END INTO of_dispute FROM dispute AS d
  WHERE d.company_id = part.company_id AND d.participation_id = part.participation_id;
  RETURN 2 + (part.bonus IS NOT NULL)::integer + coalesce(of_dispute, 0);
END $$;

-- Name: number_events(uuid, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.number_events(company uuid, batch integer) RETURNS TABLE(numbered integer, reached bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
BEGIN
  SELECT s.last_seq INTO reached FROM event_sequence AS s WHERE s.company_id = company
  FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    INSERT INTO event_sequence (company_id, last_seq) VALUES (company, 0) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    reached := 0;
  END IF;
  WITH due AS (
    DELETE FROM unnumbered_event AS u WHERE u.company_id = company AND u.ctid = ANY (ARRAY(
      SELECT o.ctid FROM unnumbered_event AS o WHERE o.company_id = company
      ORDER BY o.created_at, o.subject, o.version LIMIT batch
    ))
    RETURNING u.*
  ), moved AS (
    INSERT INTO event (company_id, subject, version, type, actor, changes, created_at, seq)
    SELECT d.company_id, d.subject, d.version, d.type, d.actor, d.changes, d.created_at,
      reached + row_number() OVER (ORDER BY d.created_at, d.subject, d.version)
    FROM due AS d
    RETURNING 1
  )
  SELECT count(*) INTO numbered FROM moved;
  IF numbered > 0 THEN
    reached := reached + numbered;
    UPDATE event_sequence AS s SET last_seq = reached WHERE s.company_id = company;
  END IF;
  RETURN NEXT;
END $$;

-- Name: open_dispute(uuid, uuid, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.open_dispute(company uuid, participation uuid, why text, caller text, OUT refusal text, OUT post text, OUT state text, OUT disputed public.dispute) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- How long a platform has to decide.
  decision_days CONSTANT integer := 14;
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.participation_id = participation
  FOR NO KEY UPDATE;
  IF part.participation_id IS NULL THEN
    refusal := 'unknown';
    RETURN;
  END IF;
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = part.campaign_id
  FOR NO KEY UPDATE;
  post := c.post_id;
  state := part.state;
  SELECT * INTO disputed FROM dispute AS d
  WHERE d.company_id = company AND d.participation_id = participation;
  IF FOUND THEN
    refusal := CASE WHEN disputed.reason <> why THEN 'exists' END;
    RETURN;
  END IF;
  moment := greatest(date_trunc('milliseconds', clock_timestamp()), part.closed_at);
  refusal := CASE
    WHEN part.state <> 'submitted' THEN 'not_submitted'
    WHEN part.respondent IS NULL THEN 'erased'
    WHEN (c.review_days > 0 AND c.maximum_dispute_share > 0) IS NOT TRUE THEN 'not_offered'
    WHEN part.closed_at + c.review_days * interval '24 hours' < moment THEN 'too_old'
  END;
  IF refusal IS NOT NULL THEN
    RETURN;
  END IF;
  UPDATE campaign_progress AS g SET disputed = g.disputed + 1
  WHERE g.company_id = company AND g.campaign_id = part.campaign_id
    AND g.disputed < floor(c.maximum_dispute_share * g.answered);
  IF NOT FOUND THEN
    refusal := 'share_reached';
    RETURN;
  END IF;
  PERFORM record_response_event(c, part, 'dispute.opened', caller,
    jsonb_build_object('reason', why));
  INSERT INTO dispute (company_id, campaign_id, participation_id, platform, reason, opened_at,
    lapses_at)
  VALUES (company, part.campaign_id, participation, part.platform, why, moment,
    moment + decision_days * interval '24 hours')
  RETURNING * INTO disputed;
END $$;

-- Name: option_positions(jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.option_positions(options jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT jsonb_object_agg(coalesce(o.option ->> 'key', o.option ->> 'text', o.option #>> '{}'),
    o.position)
  FROM jsonb_array_elements(options) WITH ORDINALITY AS o (option, position)
$$;

-- Name: pace_pause(uuid, bigint, integer, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.pace_pause(company uuid, campaign_of bigint, per_hour integer, moment timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  last_minute integer;
  counts integer[];
  total integer := 0;
  leaves numeric;
  seconds numeric := extract(epoch FROM moment);
BEGIN
  SELECT b.minute, b.begun INTO last_minute, counts FROM begin_pace AS b
  WHERE b.company_id = company AND b.campaign_id = campaign_of;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  -- If the clock was set back, it is still the last minute.
  seconds := greatest(seconds, last_minute * 60.0);
  FOR place IN REVERSE 61 .. 1 LOOP
    leaves := (last_minute + place) * 60.0;
    IF leaves <= seconds THEN
      RETURN NULL;
    END IF;
    total := total + counts[place];
    IF total >= per_hour THEN
      RETURN ceil(leaves - seconds);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Name: pay_bonus(uuid, uuid, numeric, text, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.pay_bonus(company uuid, participation uuid, granted numeric, ref text, caller text, OUT refusal text, OUT post text, OUT paid uuid, OUT amount numeric, OUT paid_at timestamp with time zone, OUT state text, OUT maximum numeric) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- BONUS_DAYS and BONUS_FACTOR in bonus.types.ts.
  bonus_days CONSTANT integer := 90;
  bonus_factor CONSTANT integer := 10;
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  progress campaign_progress%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.participation_id = participation
  FOR NO KEY UPDATE;
  IF part.participation_id IS NULL THEN
    refusal := 'unknown';
    RETURN;
  END IF;
  SELECT b.participation_id, b.paid_at, p.bonus, g.post_id INTO paid, paid_at, amount, post
  FROM bonus AS b
  JOIN participation AS p ON p.company_id = company AND p.campaign_id = b.campaign_id
    AND p.participation_id = b.participation_id
  JOIN campaign AS g ON g.company_id = company AND g.id = b.campaign_id
  WHERE b.company_id = company AND b.bonus_ref = ref;
  IF FOUND THEN
    refusal := CASE WHEN paid <> participation OR amount <> granted THEN 'ref_taken' END;
    RETURN;
  END IF;
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = part.campaign_id
  FOR NO KEY UPDATE;
  moment := greatest(date_trunc('milliseconds', clock_timestamp()), part.closed_at);
  state := part.state;
  maximum := bonus_factor * part.held;
  refusal := CASE
    WHEN part.state <> 'submitted' THEN 'not_submitted'
    WHEN part.respondent IS NULL THEN 'erased'
    WHEN part.bonus IS NOT NULL THEN 'already_paid'
    WHEN part.closed_at + bonus_days * interval '24 hours' < moment THEN 'too_old'
    WHEN granted > maximum THEN 'too_large'
  END;
  IF refusal IS NOT NULL THEN
    RETURN;
  END IF;
  IF EXISTS (
    SELECT FROM campaign_progress AS g
    WHERE g.company_id = company AND g.campaign_id = c.id AND g.held + g.spent + granted > g.budget
  ) THEN
    PERFORM expire_participations(company, c.id);
  END IF;
  PERFORM charge_bonus(c, granted, caller);
  PERFORM allot_bonus(c, granted);
  -- It violates campaign_progress_within_budget if the rest of the budget does not cover the bonus.
  UPDATE campaign_progress AS g SET spent = g.spent + granted, bonus_spent = g.bonus_spent + granted
  WHERE g.company_id = company AND g.campaign_id = c.id
  RETURNING * INTO progress;
  PERFORM record_response_event(c, part, 'response.bonus_paid', caller,
    jsonb_build_object('cohort', part.cohort, 'bonus', granted, 'bonus_ref', ref,
      'answered', progress.answered, 'spent', progress.spent, 'held', progress.held));
  UPDATE participation AS o SET bonus = granted
  WHERE o.company_id = company AND o.campaign_id = c.id AND o.participation_id = participation;
  INSERT INTO bonus (company_id, bonus_ref, campaign_id, participation_id, paid_at)
  VALUES (company, ref, c.id, participation, moment);
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  VALUES (company, c.id, participation, 'bonus', granted);
  -- Expired places may have changed it.
  SELECT * INTO c FROM campaign AS o WHERE o.company_id = company AND o.id = part.campaign_id;
  IF c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  post := c.post_id;
  paid := participation;
  amount := granted;
  paid_at := moment;
END $$;

-- Name: pay_settlement(uuid, uuid, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.pay_settlement(company uuid, id uuid, given text) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- A cluster refuses an update with the clock.
  moment timestamptz(3);
  paid text;
BEGIN
  PERFORM 1 FROM settlement AS s
  WHERE s.company_id = company AND s.settlement_id = id FOR UPDATE;
  moment := date_trunc('milliseconds', clock_timestamp());
  UPDATE settlement AS s SET paid_at = moment, reference = given
  WHERE s.company_id = company AND s.settlement_id = id AND s.paid_at IS NULL;
  SELECT s.reference INTO paid FROM settlement AS s
  WHERE s.company_id = company AND s.settlement_id = id;
  RETURN paid;
END $$;

-- Name: payments(uuid, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.payments(company uuid, after bigint, through bigint) RETURNS TABLE(seq bigint, platform text, campaign_id bigint, post_id text, participation_id uuid, kind text, amount numeric, paid_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
BEGIN
  RETURN QUERY
  SELECT m.seq, p.platform, m.campaign, c.post_id, m.participation, m.kind,
    coalesce(m.amount, p.reward), coalesce(m.paid_at, p.closed_at)::timestamptz
  FROM (
    SELECT e.seq, (
        SELECT o.id FROM campaign AS o
        WHERE o.company_id = company AND o.post_id = e.changes ->> 'post_id' LIMIT 1
      ) AS campaign, e.subject AS participation, k.kind,
      k.sign * (coalesce(e.changes ->> 'reward', e.changes ->> 'amount', '0')::numeric(12, 2)
        + coalesce(e.changes ->> 'bonus', '0')::numeric(12, 2)) AS amount,
      CASE WHEN k.kind <> 'settle' THEN date_trunc('milliseconds', e.created_at) END AS paid_at
    FROM (
      SELECT o.seq, o.subject, o.type, o.changes, o.created_at FROM event AS o
      WHERE o.company_id = company AND o.seq > after
        AND o.seq <= coalesce(through, 9223372036854775807)
      UNION ALL
      SELECT NULL, u.subject, u.type, u.changes, u.created_at FROM unnumbered_event AS u
      WHERE u.company_id = company AND through IS NULL
    ) AS e
    CROSS JOIN LATERAL (
      SELECT v.kind, v.sign FROM (VALUES
        ('response.submitted', 'settle', 1),
        ('response.reversed', 'reverse', -1),
        ('participation.screened_out', 'screen_out', 1),
        ('response.bonus_paid', 'bonus', 1)
      ) AS v (type, kind, sign)
      WHERE v.type = e.type
    ) AS k
    UNION ALL
    SELECT a.seq, a.campaign_id, a.participation_id, 'settle', NULL, NULL
    FROM archived_submission AS a
    WHERE a.company_id = company AND a.seq > after
      AND a.seq <= coalesce(through, 9223372036854775807)
    UNION ALL
    SELECT a.seq, a.campaign_id, a.participation_id, a.kind, a.amount, a.paid_at
    FROM archived_payment AS a
    WHERE a.company_id = company AND a.seq > after
      AND a.seq <= coalesce(through, 9223372036854775807)
  ) AS m
  CROSS JOIN LATERAL (
    SELECT o.platform, o.reward, o.closed_at FROM participation AS o
    WHERE o.company_id = company AND o.campaign_id = m.campaign
      AND o.participation_id = m.participation LIMIT 1
  ) AS p
  CROSS JOIN LATERAL (
    SELECT o.post_id FROM campaign AS o
    WHERE o.company_id = company AND o.id = m.campaign LIMIT 1
  ) AS c
  WHERE coalesce(m.amount, p.reward) <> 0
  ORDER BY m.seq;
END $$;

-- Name: permit_in_transaction(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.permit_in_transaction() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.run_in := pg_current_xact_id();
  RETURN NEW;
END $$;

-- Name: printed_id(text, uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.printed_id(prefix text, stored uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  SELECT CASE WHEN t.test THEN 'test' ELSE prefix END || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substr(b.bits, 5 * n - 4, 5)::bit(5)::integer, 1),
    '' ORDER BY n)
  FROM (SELECT prefix = 'co' AND substr(stored::text, 15, 1) = '8' AS test) AS t
  CROSS JOIN LATERAL (
    SELECT CASE WHEN t.test THEN overlay(stored::text PLACING '7' FROM 15)
      ELSE stored::text END AS uuid
  ) AS u
  CROSS JOIN LATERAL (
    SELECT '00' || ('x' || replace(u.uuid, '-', ''))::bit(128)::text AS bits
  ) AS b
  CROSS JOIN generate_series(1, 26) AS n
  GROUP BY t.test
$$;

-- Name: question_position(jsonb, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.question_position(questions jsonb, key text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT q.position::integer
  FROM jsonb_array_elements(questions) WITH ORDINALITY AS q (question, position)
  WHERE coalesce(q.question ->> 'key', 'q' || q.position) = key
  ORDER BY q.position LIMIT 1
$$;

-- Name: rating_step(jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.rating_step(scale jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((scale ->> 'step'::text))::numeric * ceil(((((((scale ->> 'max'::text))::numeric - ((scale ->> 'min'::text))::numeric) / ((scale ->> 'step'::text))::numeric) + (1)::numeric) / (101)::numeric)));

-- Name: recent_begins(integer, integer[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.recent_begins(minute integer, begun integer[], moment timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  SELECT coalesce(sum(b.number), 0) FROM unnest(begun) WITH ORDINALITY AS b (number, place)
  WHERE minute - 61 + b.place >= floor(extract(epoch FROM moment) / 60) - 60
$$;

-- Name: record_api_key_created(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_api_key_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  environment uuid := CASE NEW.mode
    WHEN 'test' THEN overlay(NEW.company_id::text PLACING '8' FROM 15)::uuid
    ELSE NEW.company_id END;
BEGIN
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (environment, stored_id(NEW.key_id), NEW.version, 'api_key.generated', NEW.updated_by,
    jsonb_strip_nulls(jsonb_build_object(
      'name', NEW.name, 'prefix', NEW.prefix, 'scopes', NEW.scopes,
      'expires_at', json_time(NEW.expires_at),
      'spending_limit', spending_limit_json(NEW.spending_limit, NEW.spending_per),
      'approval_above', NEW.approval_above
    )),
    NEW.created_at);
  IF NEW.spender IS NOT NULL THEN
    PERFORM set_key_limit(environment, stored_id(NEW.key_id), NEW.spender, NEW.spending_limit,
      NEW.spending_per, NEW.approval_above);
  END IF;
  RETURN NULL;
END $$;

-- Name: record_api_key_updated(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_api_key_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  environment uuid := CASE NEW.mode
    WHEN 'test' THEN overlay(NEW.company_id::text PLACING '8' FROM 15)::uuid
    ELSE NEW.company_id END;
  type text := CASE
    WHEN NEW.replaced_by IS DISTINCT FROM OLD.replaced_by THEN 'api_key.rotated'
    WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN 'api_key.revoked'
    ELSE 'api_key.updated'
  END;
  changes jsonb := field_change('name', OLD.name, NEW.name)
    || field_change('scopes', OLD.scopes, NEW.scopes)
    || field_change('expires_at', json_time(OLD.expires_at), json_time(NEW.expires_at))
    || field_change('revoked_at', json_time(OLD.revoked_at), json_time(NEW.revoked_at))
    || field_change('overlap_ends_at', json_time(OLD.overlap_ends_at), json_time(NEW.overlap_ends_at))
    || field_change('spending_limit', spending_limit_json(OLD.spending_limit, OLD.spending_per),
      spending_limit_json(NEW.spending_limit, NEW.spending_per))
    || field_change('approval_above', OLD.approval_above, NEW.approval_above);
  moment timestamptz;
BEGIN
  SELECT greatest(clock_timestamp(), max(e.created_at)) INTO moment
  FROM (
    SELECT o.created_at FROM event AS o
    WHERE o.company_id = environment AND o.subject = stored_id(NEW.key_id)
    UNION ALL
    SELECT u.created_at FROM unnumbered_event AS u
    WHERE u.company_id = environment AND u.subject = stored_id(NEW.key_id)
  ) AS e;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (environment, stored_id(NEW.key_id), NEW.version, type, NEW.updated_by, changes, moment);
  IF changes ?| ARRAY['spending_limit', 'approval_above'] THEN
    PERFORM set_key_limit(environment, stored_id(NEW.key_id), NEW.spender, NEW.spending_limit,
      NEW.spending_per, NEW.approval_above);
  END IF;
  RETURN NULL;
END $$;

-- Name: record_approval_event(public.approval, integer, text, text, jsonb, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_approval_event(a public.approval, number integer, type text, actor text, changes jsonb, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  post text;
BEGIN
  SELECT c.post_id INTO post FROM campaign AS c
  WHERE c.company_id = a.company_id AND c.id = a.campaign_id;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (a.company_id, a.approval_id, number, type, actor,
    jsonb_strip_nulls(jsonb_build_object('operation', a.operation, 'post_id', post)) || changes,
    moment);
END $$;

-- Name: record_balance_event(uuid, text, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_balance_event(company uuid, event text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  b record;
BEGIN
  UPDATE balance AS o SET version = o.version + 1,
    logged_at = greatest(moment,
      (o.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE o.company_id = company
  RETURNING o.version, o.logged_at INTO b;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, overlay(company::text PLACING '7' FROM 15 FOR 1)::uuid, b.version, event,
    'service', changes, b.logged_at);
END $$;

-- Name: record_campaign_created(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_campaign_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- The rows of a cluster's shards have types of their own.
  created campaign;
  changes jsonb := jsonb_build_object(
    'type', NEW.type, 'format', NEW.format, 'title', NEW.title, 'description', NEW.description,
    'category', NEW.category, 'tagline', NEW.tagline,
    'currency', NEW.currency, 'reward_amount', NEW.reward_amount,
    'cohort_1_reward', NEW.cohort_rewards[1], 'cohort_2_reward', NEW.cohort_rewards[2],
    'cohort_3_reward', NEW.cohort_rewards[3], 'cohort_4_reward', NEW.cohort_rewards[4],
    'cohort_5_reward', NEW.cohort_rewards[5], 'is_live', NEW.is_live AND NEW.version = 1
  );
BEGIN
  IF num_nonnulls(NEW.external_ref, NEW.content_url, NEW.video_url, NEW.thumbnail_url,
    NEW.duration_seconds, NEW.has_feedback, NEW.image_survey, NEW.starts_at, NEW.ends_at,
    NEW.max_responses, NEW.budget, NEW.answer_minutes, NEW.review_days,
    NEW.maximum_dispute_share, NEW.banners, NEW.margins,
    NEW.question_set_version) > 0
  THEN
    changes := jsonb_strip_nulls(changes || jsonb_build_object(
      'external_ref', NEW.external_ref, 'content_url', NEW.content_url,
      'video_url', NEW.video_url, 'thumbnail_url', NEW.thumbnail_url,
      'duration_seconds', NEW.duration_seconds, 'has_feedback', NEW.has_feedback,
      'image_survey', NEW.image_survey,
      'starts_at', json_time(NEW.starts_at), 'ends_at', json_time(NEW.ends_at),
      'max_responses', NEW.max_responses, 'budget', NEW.budget,
      'answer_minutes', NEW.answer_minutes, 'review_days', NEW.review_days,
      'maximum_dispute_share', NEW.maximum_dispute_share, 'banners', NEW.banners, 'margins', NEW.margins,
      'question_set_version', NEW.question_set_version
    ));
    IF NEW.max_responses IS NOT NULL OR NEW.budget IS NOT NULL THEN
      INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
      VALUES (NEW.company_id, NEW.id, NEW.max_responses, NEW.budget);
    END IF;
  END IF;
  PERFORM record_event(NEW.company_id, NEW.post_id, 1, 'campaign.created', NEW.updated_by, changes,
    NEW.updated_at);
  IF NEW.is_live THEN
    created := NEW;
    IF start_allotment(created, NEW.updated_by) THEN
      UPDATE campaign AS c SET is_prepaid = true
      WHERE c.company_id = NEW.company_id AND c.id = NEW.id;
    END IF;
  END IF;
  IF NEW.version = 2 THEN
    -- A time that had come before the creation started or ended it: see schedule_campaign.
    PERFORM record_event(NEW.company_id, NEW.post_id, 2,
      CASE WHEN NEW.is_live THEN 'campaign.started' ELSE 'campaign.completed' END, NEW.updated_by,
      CASE WHEN NEW.is_live THEN '{"is_live": {"old": false, "new": true}}'::jsonb
        ELSE '{"status": {"old": "draft", "new": "completed"}}' END,
      NEW.updated_at);
  END IF;
  IF NEW.is_live OR NEW.due_at = NEW.starts_at THEN
    created := NEW;
    PERFORM charge_campaign(NULL, created, NEW.updated_by);
  END IF;
  RETURN NULL;
END $$;

-- Name: record_deletion(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_deletion() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO deletion (company_id, id) VALUES (OLD.company_id, to_jsonb(OLD) ->> TG_ARGV[0]);
  RETURN NULL;
END $$;

-- Name: record_event(uuid, text, integer, text, text, jsonb, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_event(company uuid, subject text, version integer, type text, actor text, changes jsonb, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, stored_id(subject), version, type, actor, changes, moment);
END $$;

-- Name: record_quotas(uuid, bigint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_quotas(company uuid, campaign_of bigint) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  c record;
  changed record;
  logged timestamptz;
BEGIN
  FOR changed IN
    SELECT q.cell, q.quota_id, q.name, q.maximum, q.submitted, q.version + 1 AS version,
      NOT q.filled AS filled, (
        SELECT g.taken[q.cell] FROM cell_counts AS g
        WHERE g.company_id = company AND g.campaign_id = campaign_of
      ) AS taken
    FROM quota_cell AS q
    WHERE q.company_id = company AND q.campaign_id = campaign_of
      AND q.filled <> (q.submitted >= q.maximum)
    ORDER BY q.cell
  LOOP
    SELECT o.post_id, o.updated_at INTO c FROM campaign AS o
    WHERE o.company_id = company AND o.id = campaign_of;
    logged := greatest(clock_timestamp(), c.updated_at + interval '1 microsecond');
    -- Events are numbered by their times: this one comes after all others of the campaign.
    UPDATE campaign_progress AS g
    SET logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
    WHERE g.company_id = company AND g.campaign_id = campaign_of
    RETURNING g.logged_at INTO logged;
    UPDATE quota_cell AS q SET filled = changed.filled, version = changed.version
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = changed.cell;
    INSERT INTO unnumbered_event
      (company_id, subject, version, type, actor, changes, created_at)
    VALUES (company, changed.quota_id, changed.version,
      CASE WHEN changed.filled THEN 'quota.filled' ELSE 'quota.reopened' END, 'service',
      jsonb_build_object('post_id', c.post_id, 'name', changed.name, 'limit', changed.maximum,
        'taken', changed.taken, 'submitted', changed.submitted), logged);
  END LOOP;
END $$;

-- Name: record_response_event(public.campaign, public.participation, text, text, jsonb); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_response_event(c public.campaign, part public.participation, event text, caller text, changes jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := part.company_id;
  campaign_of CONSTANT bigint := part.campaign_id;
  participation CONSTANT uuid := part.participation_id;
  -- A cluster refuses an update with the clock, or with the time zone of a session.
  logged CONSTANT timestamptz :=
    greatest(clock_timestamp(), part.closed_at, c.updated_at + interval '1 microsecond');
  moment timestamptz;
BEGIN
  -- Events are numbered by their times, so these are in the order of the counters.
  UPDATE campaign_progress AS g
  SET logged_at = greatest(logged,
    (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
  RETURNING g.logged_at INTO moment;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, next_response_version(part), event, caller,
    jsonb_build_object('post_id', c.post_id) || changes, moment);
END $$;

-- Name: record_webhook_endpoint_updated(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.record_webhook_endpoint_updated() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.tests <> OLD.tests THEN
    PERFORM record_event(NEW.company_id, NEW.webhook_id, NEW.version, 'webhook.tested',
      NEW.updated_by, '{}', NEW.updated_at);
  ELSIF OLD.enabled AND NOT NEW.enabled THEN
    PERFORM record_event(NEW.company_id, NEW.webhook_id, NEW.version, 'webhook.disabled',
      NEW.updated_by,
      field_change('enabled', OLD.enabled, NEW.enabled)
        || field_change('disabled_reason', OLD.disabled_reason, NEW.disabled_reason),
      NEW.updated_at);
  END IF;
  RETURN NULL;
END $$;

-- Name: recount_responses(uuid, bigint[], uuid[], boolean); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.recount_responses(company uuid, campaigns bigint[], participations uuid[], is_removal boolean) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  folded_campaigns bigint[];
  folded uuid[];
  reached bigint := lock_tally(company);
BEGIN
  -- The first event of a submitted participation is its submission. Its number says whether it is
  -- in. Only events that are in the tally are archived, so one that is in neither table is in.
  SELECT array_agg(n.campaign_id), array_agg(n.participation_id) INTO folded_campaigns, folded
  FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
  LEFT JOIN LATERAL (
    SELECT e.seq FROM event AS e
    WHERE e.company_id = company AND e.subject = n.participation_id AND e.version = 1 LIMIT 1
  ) AS submission ON true
  WHERE submission.seq <= reached OR submission.seq IS NULL AND NOT EXISTS (
    SELECT FROM unnumbered_event AS u
    WHERE u.company_id = company AND u.subject = n.participation_id AND u.version = 1
  );
  IF folded IS NOT NULL THEN
    PERFORM add_to_tally(company, folded_campaigns, folded, is_removal);
  END IF;
END $$;

-- Name: refresh_answer_times(uuid, bigint, integer, boolean); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refresh_answer_times(company uuid, campaign_of bigint, version_of integer, is_removal boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  -- Of fewer responses, a percentile says little.
  minimum CONSTANT integer := 30;
  growth CONSTANT numeric := 1.1;
  counted bigint;
  known bigint;
  found integer[];
BEGIN
  SELECT a.responses INTO known FROM answer_times AS a
  WHERE a.company_id = company AND a.campaign_id = campaign_of AND a.version = version_of;
  IF known IS NULL AND is_removal THEN
    RETURN;
  END IF;
  SELECT t.cohort_1 + t.cohort_2 + t.cohort_3 + t.cohort_4 + t.cohort_5 INTO counted
  FROM tally AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
    AND t.cell = 0 AND t.kind = 'counted' AND t.item = '' AND t.key = '';
  counted := coalesce(counted, 0);
  IF counted < minimum THEN
    IF is_removal THEN
      DELETE FROM answer_times AS a
      WHERE a.company_id = company AND a.campaign_id = campaign_of AND a.version = version_of;
    END IF;
    RETURN;
  END IF;
  IF NOT is_removal AND counted < known * growth THEN
    RETURN;
  END IF;
  -- A bucket stands for the percentiles that are reached in it.
  SELECT array_agg(r.bucket ORDER BY r.bucket) INTO found
  FROM (
    SELECT s.bucket, s.n, sum(s.n) OVER (ORDER BY s.bucket) AS reached
    FROM (
      SELECT t.key::integer AS bucket,
        t.cohort_1 + t.cohort_2 + t.cohort_3 + t.cohort_4 + t.cohort_5 AS n
      FROM tally AS t
      WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.version = version_of
        AND t.cell = 0 AND t.kind = 'seconds' AND t.item = ''
    ) AS s
  ) AS r
  CROSS JOIN LATERAL generate_series(
    floor((r.reached - r.n) * 100 / counted)::integer + 1, floor(r.reached * 100 / counted)::integer
  ) AS percentile;
  INSERT INTO answer_times AS a (company_id, campaign_id, version, responses, percentiles)
  VALUES (company, campaign_of, version_of, counted, found)
  ON CONFLICT (company_id, campaign_id, version)
  DO UPDATE SET responses = excluded.responses, percentiles = excluded.percentiles;
END $$;

-- Name: refuse_currency_change(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refuse_currency_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'a currency never changes: constraint "currency_fixed"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'currency_fixed';
END $$;

-- Name: refuse_funding_change(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refuse_funding_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'a funding is never changed or deleted: constraint "funding_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'funding_permanent';
END $$;

-- Name: refuse_place(public.campaign, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refuse_place(c public.campaign, reward numeric) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  broken text;
BEGIN
  SELECT 'participation_balance_left' INTO broken FROM campaign_progress AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of
    AND has_place(g.max_responses, g.budget, g.taken, g.held, g.spent, reward);
  broken := coalesce(broken, 'participation_place_left');
  RAISE EXCEPTION 'a respondent without a place violates constraint "%"', broken
    USING ERRCODE = 'check_violation', CONSTRAINT = broken;
END $$;

-- Name: refuse_transfer_change(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.refuse_transfer_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('ledger.carries', true) = 'on' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'a transfer is never changed or deleted: constraint "transfer_permanent"'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'transfer_permanent';
END $$;

-- Name: release_participations(uuid, bigint, uuid[], text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.release_participations(company uuid, campaign_of bigint, released uuid[], outcome text, moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
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

-- Name: remove_archived_events(uuid, bigint, integer, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.remove_archived_events(company uuid, through bigint, most integer, abandoned timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
DECLARE
  first bigint;
  up_to bigint;
BEGIN
  SELECT s.first_seq INTO first FROM event_sequence AS s WHERE s.company_id = company FOR UPDATE;
  PERFORM 1 FROM webhook_endpoint AS w WHERE w.company_id = company
  ORDER BY w.webhook_id FOR UPDATE;
  up_to := least(through, first + most - 1, archivable_seq(company, abandoned));
  IF (up_to >= first) IS NOT TRUE THEN
    RETURN 0;
  END IF;
  INSERT INTO archived_submission (company_id, campaign_id, seq, participation_id, cohort)
  SELECT company, c.id, e.seq, e.subject, (e.changes ->> 'cohort')::smallint
  FROM event AS e
  JOIN campaign AS c ON c.company_id = company AND c.post_id = e.changes ->> 'post_id'
  WHERE e.company_id = company AND e.seq >= first AND e.seq <= up_to
    AND e.type = 'response.submitted';
  INSERT INTO archived_payment
    (company_id, seq, campaign_id, participation_id, kind, amount, paid_at)
  SELECT company, p.seq, p.campaign_id, p.participation_id, p.kind, p.amount, p.paid_at
  FROM payments(company, first - 1, up_to) AS p WHERE p.kind <> 'settle';
  DELETE FROM event AS e WHERE e.company_id = company AND e.seq >= first AND e.seq <= up_to;
  UPDATE webhook_endpoint AS w SET claimed_seq = up_to, missed_to_seq = up_to,
    missed_from_seq = CASE WHEN w.missed_to_seq = w.claimed_seq THEN w.missed_from_seq
      ELSE w.claimed_seq + 1 END
  WHERE w.company_id = company AND w.claimed_seq < up_to;
  UPDATE event_sequence AS s SET first_seq = up_to + 1 WHERE s.company_id = company;
  RETURN up_to - first + 1;
END $$;

-- Name: replace_targeting(uuid, text, text, integer[], jsonb, jsonb, text[], integer[], uuid[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.replace_targeting(company uuid, post text, caller text, expected integer[], content jsonb, audience jsonb, names text[], maximums integer[], ids uuid[], OUT campaign_of bigint, OUT below integer[], OUT rules integer, OUT campaign_version integer, OUT stored_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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

-- Name: request_approval(uuid, uuid, text, text, text, bytea, bigint, integer, text, numeric, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.request_approval(company uuid, approval uuid, key text, operation text, body text, hash bytea, campaign_of bigint, version_of integer, currency_of text, commits_of numeric, adds_of numeric, OUT asked public.approval, OUT refusal text) RETURNS record
    LANGUAGE plpgsql
    AS $$
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

-- Name: require_approval(public.campaign, text, numeric, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.require_approval(c public.campaign, actor text, above numeric, becomes numeric) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  acting CONSTANT uuid := stored_id(actor);
  carrier CONSTANT xid8 := pg_current_xact_id();
BEGIN
  UPDATE approval AS a SET campaign_id = campaign_of
  WHERE a.company_id = company AND a.key_id = acting AND a.run_in = carrier;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a commitment violates constraint "campaign_commitment_approved"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_commitment_approved',
        DETAIL = jsonb_build_object('limit', above, 'required', becomes, 'currency', c.currency);
  END IF;
END $$;

-- Name: reverse_participation(uuid, bigint, uuid, text, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.reverse_participation(company uuid, campaign_of bigint, participation uuid, why text, caller text, decided timestamp with time zone DEFAULT NULL::timestamp with time zone, OUT part public.participation, OUT became text) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  c campaign%ROWTYPE;
  progress campaign_progress%ROWTYPE;
  moment timestamptz(3);
  logged timestamptz;
  own_cells smallint[];
  paid numeric;
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  part.answers := NULL;
  own_cells := part.cells;
  IF (part.state = 'submitted') IS NOT TRUE THEN
    RETURN;
  END IF;
  -- Not before its submission, even if the clock was set back.
  moment := greatest(
    coalesce(decided, date_trunc('milliseconds', clock_timestamp())), part.closed_at);
  -- Waits for the tally before it locks the campaign, which respondents need meanwhile.
  PERFORM recount_responses(company, ARRAY[campaign_of], ARRAY[participation], true);
  UPDATE participation AS o SET state = 'reversed', reversed_at = moment, reversal_reason = why
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  RETURNING o.* INTO part;
  part.answers := NULL;
  PERFORM recount_responses(company, ARRAY[campaign_of], ARRAY[participation], false);
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  paid := part.reward + coalesce(part.bonus, 0);
  IF paid > 0 THEN
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
    VALUES (company, campaign_of, participation, 'reverse', paid);
  END IF;
  PERFORM close_dispute(c, part, 'accepted', NULL, caller, moment);
  logged := greatest(clock_timestamp(), moment, c.updated_at + interval '1 microsecond');
  UPDATE campaign_progress AS g
  SET spent = g.spent - paid, bonus_spent = g.bonus_spent - coalesce(part.bonus, 0),
    reversed = g.reversed + 1,
    logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
  RETURNING * INTO progress;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, next_response_version(part), 'response.reversed', caller,
    jsonb_strip_nulls(jsonb_build_object('post_id', c.post_id, 'cohort', part.cohort,
      'reward', part.reward, 'bonus', part.bonus, 'reason', why, 'answered', progress.answered,
      'spent', progress.spent, 'held', progress.held)),
    progress.logged_at);
  IF own_cells IS NOT NULL THEN
    -- The participation still has their numbers, which must not become those of other quotas.
    UPDATE quota_cell AS q SET kept = true
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = ANY (own_cells)
      AND NOT q.kept;
    PERFORM leave_cells(company, campaign_of, own_cells,
      array_fill(0, ARRAY[cardinality(own_cells)]), array_fill(1, ARRAY[cardinality(own_cells)]));
  END IF;
  IF c.max_responses IS NOT NULL OR c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  became := 'reversed';
END $$;

-- Name: schedule_campaign(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.schedule_campaign() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  IF NEW.ends_at <= moment THEN
    IF NEW.is_live THEN
      -- A condition on the clock, which no constraint can have, under the name of one.
      RAISE EXCEPTION 'an ended campaign violates constraint "campaign_live_unless_ends_at_passed"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_unless_ends_at_passed';
    END IF;
    NEW.version := 2;
  ELSIF NEW.starts_at > moment AND NOT NEW.is_live THEN
    NEW.due_at := NEW.starts_at;
  ELSE
    IF NOT NEW.is_live AND NEW.starts_at IS NOT NULL THEN
      NEW.is_live := true;
      NEW.version := 2;
    END IF;
    NEW.due_at := NEW.ends_at;
  END IF;
  RETURN NEW;
END $$;

-- Name: screen_out(public.campaign, uuid, text, bytea, numeric, integer, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.screen_out(c public.campaign, participation uuid, agent text, who bytea, reward numeric, maximum integer, caller text, moment timestamp with time zone) RETURNS numeric
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  campaign_of CONSTANT bigint := c.id;
  progress campaign_progress%ROWTYPE;
  logged timestamptz := greatest(clock_timestamp(), c.updated_at + interval '1 microsecond');
BEGIN
  SELECT * INTO progress FROM campaign_progress AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  IF progress.screened_out >= maximum THEN
    RETURN NULL;
  END IF;
  -- Events are numbered by their times, so these are in the order of the counters.
  UPDATE campaign_progress AS g
  SET screened_out = g.screened_out + 1, spent = g.spent + reward,
    screen_out_spent = g.screen_out_spent + reward,
    logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
    -- Whoever could not begin is not paid either.
    AND has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
      greatest(c.largest_reward, reward))
  RETURNING * INTO progress;
  IF NOT FOUND THEN
    PERFORM refuse_place(c, greatest(c.largest_reward, reward));
  END IF;
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent, state,
    rewards, held, begun_at, expires_at, closed_at)
  VALUES (company, campaign_of, participation, agent, who, 'screened_out',
    array_fill(reward, ARRAY[5]), reward, moment, moment + interval '1 minute', moment);
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
  VALUES (company, campaign_of, participation, 'screen_out', reward);
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, 1, 'participation.screened_out', caller,
    jsonb_build_object('post_id', c.post_id, 'reward', reward, 'screened_out', progress.screened_out,
      'answered', progress.answered, 'spent', progress.spent, 'held', progress.held),
    progress.logged_at);
  IF c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  RETURN reward;
END $$;

-- Name: set_key_limit(uuid, uuid, uuid, numeric, text, numeric); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.set_key_limit(company uuid, key uuid, spender_of uuid, new_amount numeric, new_per text, new_above numeric) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  today date := utc_day();
  current_period text := spending_period(new_per, today);
  first date := spending_starts(new_per, today);
  total numeric;
  most numeric;
BEGIN
  PERFORM FROM key_limit AS l WHERE l.company_id = company AND l.spender = spender_of
  ORDER BY l.key_id FOR UPDATE;
  INSERT INTO key_limit (company_id, key_id, spender, amount, per, approval_above)
  VALUES (company, key, spender_of, new_amount, new_per, new_above)
  ON CONFLICT (company_id, key_id) DO UPDATE
  SET amount = excluded.amount, per = excluded.per, approval_above = excluded.approval_above;
  IF new_amount IS NULL THEN
    RETURN;
  END IF;
  SELECT coalesce(sum(c.amount), 0) INTO total FROM campaign_charge AS c
  WHERE c.company_id = company AND c.spender = spender_of AND c.day >= first;
  most := greatest(new_amount, total);
  INSERT INTO key_spending (company_id, spender, period, committed, ceiling)
  VALUES (company, spender_of, current_period, total, most)
  ON CONFLICT (company_id, spender, period) DO UPDATE
  SET committed = excluded.committed, ceiling = excluded.ceiling;
END $$;

-- Name: set_prepaid(uuid, boolean); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.set_prepaid(company uuid, prepaid boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO balance AS b (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  UPDATE balance AS b SET is_prepaid = prepaid
  WHERE b.company_id = company AND b.is_prepaid <> prepaid;
  IF FOUND THEN
    PERFORM mark_allotment_due(company, 0, true);
  END IF;
END $$;

-- Name: settle_limits(public.campaign); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.settle_limits(c public.campaign) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  exhausted text[] := campaign_exhausted_by(c.company_id, c.id, c.largest_reward);
BEGIN
  IF exhausted IS DISTINCT FROM c.exhausted_by THEN
    LOOP
      UPDATE campaign AS o SET exhausted_by = exhausted, updated_by = 'service'
      WHERE o.company_id = c.company_id AND o.id = c.id;
      EXIT WHEN FOUND;
      -- A start or an end has come, which is stored first: see advance_campaign.
      UPDATE campaign AS o SET due_at = NULL, updated_by = 'service'
      WHERE o.company_id = c.company_id AND o.id = c.id;
    END LOOP;
  END IF;
  IF NOT c.is_live AND (c.due_at = c.starts_at) IS NOT TRUE THEN
    PERFORM charge_campaign(c, c, 'service');
  END IF;
END $$;

-- Name: spending_limit_json(numeric, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.spending_limit_json(amount numeric, per text) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE WHEN amount IS NOT NULL THEN jsonb_build_object('amount', amount, 'per', per) END
$$;

-- Name: spending_period(text, date); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.spending_period(per text, day date) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE per
    WHEN 'day' THEN to_char(day::timestamp, 'YYYY-MM-DD')
    WHEN 'month' THEN to_char(day::timestamp, 'YYYY-MM')
    WHEN 'total' THEN 'total'
  END
$$;

-- Name: spending_resets(text, date); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.spending_resets(per text, day date) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE per
    WHEN 'day' THEN (day::timestamp + interval '1 day') AT TIME ZONE 'UTC'
    WHEN 'month' THEN (date_trunc('month', day::timestamp) + interval '1 month') AT TIME ZONE 'UTC'
  END
$$;

-- Name: spending_starts(text, date); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.spending_starts(per text, day date) RETURNS date
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE per
    WHEN 'day' THEN day
    WHEN 'month' THEN date_trunc('month', day::timestamp)::date
    WHEN 'total' THEN '-infinity'::date
  END
$$;

-- Name: start_allotment(public.campaign, text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.start_allotment(c public.campaign, actor text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
  company CONSTANT uuid := c.company_id;
  b record;
  state text;
BEGIN
  SELECT o.is_prepaid, o.available INTO b FROM balance AS o WHERE o.company_id = company
  FOR NO KEY UPDATE;
  IF b.is_prepaid IS NOT TRUE AND NOT c.is_prepaid THEN
    RETURN false;
  END IF;
  state := allot(c, false);
  IF state = 'dry' AND actor <> 'service' AND c.largest_reward > (
    SELECT o.available + coalesce((
      SELECT sum(g.allotment - g.held - g.spent) FROM campaign_progress AS g
      WHERE g.company_id = company AND g.allotment IS NOT NULL
    ), 0)
    FROM balance AS o WHERE o.company_id = company
  ) THEN
    RAISE EXCEPTION 'a campaign without money violates constraint "campaign_live_within_balance"'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'campaign_live_within_balance';
  END IF;
  IF state = 'dry' THEN
    -- Other campaigns may have what this one lacks.
    PERFORM mark_allotment_due(company, c.id, true);
  ELSE
    -- The balance may not pay for all of this one.
    PERFORM mark_allotment_due(company, 0, true);
  END IF;
  RETURN state IS NOT NULL;
END $$;

-- Name: still_to_come(uuid, bigint); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.still_to_come(company uuid, campaign_of bigint) RETURNS numeric
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  enough CONSTANT integer := 200;
  percentile_95 CONSTANT numeric := 1.6448536;
  c campaign%ROWTYPE;
  g campaign_progress%ROWTYPE;
  places numeric;
  responses numeric;
  mean numeric;
  variance numeric;
BEGIN
  SELECT * INTO c FROM campaign AS o WHERE o.company_id = company AND o.id = campaign_of;
  SELECT * INTO g FROM campaign_progress AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of;
  places := g.max_responses - g.taken;
  IF places IS NULL THEN
    RETURN g.budget - g.held - g.spent;
  END IF;
  SELECT sum(s.count), sum(s.count * s.reward) / nullif(sum(s.count), 0),
    sum(s.count * s.reward * s.reward) / nullif(sum(s.count), 0)
  INTO responses, mean, variance
  FROM tally AS t,
    unnest(
      ARRAY[t.cohort_1, t.cohort_2, t.cohort_3, t.cohort_4, t.cohort_5], c.cohort_rewards::numeric[]
    ) AS s (count, reward)
  WHERE t.company_id = company AND t.campaign_id = campaign_of AND t.cell = 0
    AND t.kind = 'submitted' AND t.item = '' AND t.key = '';
  variance := greatest(0, variance - mean * mean);
  RETURN least(g.budget - g.held - g.spent, places * c.largest_reward, CASE
    WHEN responses >= enough THEN round(
      places * mean + percentile_95 * sqrt(places * variance * (1 + places / responses)),
      currency_places(c.currency))
  END);
END $$;

-- Name: stored_id(text); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.stored_id(printed text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
DECLARE
  base32 text := substring(printed from '^[a-z]{1,10}_([0-7][0-9a-hjkmnp-tv-z]{25})$');
  base16 text := '';
  number bigint := 0;
BEGIN
  IF base32 IS NULL THEN
    RETURN NULL;
  END IF;
  FOR n IN 1..26 LOOP
    number := number * 32
      + strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(base32, n, 1)) - 1;
    IF n IN (2, 10, 18, 26) THEN
      base16 := base16 || lpad(to_hex(number), CASE n WHEN 2 THEN 2 ELSE 10 END, '0');
      number := 0;
    END IF;
  END LOOP;
  IF starts_with(printed, 'test_') THEN
    base16 := overlay(base16 PLACING '8' FROM 13);
  END IF;
  RETURN base16::uuid;
END $_$;

-- Name: submit_cells(uuid, bigint, smallint[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.submit_cells(company uuid, campaign_of bigint, own smallint[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  is_filled boolean;
BEGIN
  WITH counted AS (
    UPDATE quota_cell AS q SET submitted = q.submitted + 1
    WHERE q.company_id = company AND q.campaign_id = campaign_of AND q.cell = ANY (own)
    RETURNING q.submitted >= q.maximum AND NOT q.filled AS is_filled
  )
  SELECT bool_or(c.is_filled) INTO is_filled FROM counted AS c;
  IF is_filled THEN
    PERFORM record_quotas(company, campaign_of);
  END IF;
END $$;

-- Name: submit_participation(uuid, bigint, uuid, numeric, integer, bytea, text, text, smallint, smallint, real, bigint, integer); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.submit_participation(company uuid, campaign_of bigint, participation uuid, score numeric, attention_cohort integer, content bytea, given text, caller text, run smallint, compared smallint, agreement real, hash bigint, flags integer, OUT part public.participation, OUT became text) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  -- FAST_BELOW, REPEATED_FROM and REPEATS_MAXIMUM in quality.rules.ts.
  fast_below CONSTANT integer := 5;
  repeated_from CONSTANT integer := 1;
  repeats_maximum CONSTANT integer := 100;
  c campaign%ROWTYPE;
  progress campaign_progress%ROWTYPE;
  moment timestamptz(3);
  -- A cluster refuses an update with the clock, or with the time zone of a session.
  logged timestamptz;
  earned numeric(12, 2);
  percentile integer;
  repeats integer;
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  part.answers := NULL;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF part.participation_id IS NULL OR part.state <> 'open' OR part.expires_at <= moment THEN
    RETURN;
  END IF;
  earned := part.rewards[attention_cohort];
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE;
  -- How many percentiles are in buckets before that of this time.
  SELECT width_bucket(
    time_bucket(extract(epoch FROM moment - part.begun_at)::double precision) - 1, t.percentiles)
  INTO percentile
  FROM answer_times AS t
  WHERE t.company_id = company AND t.campaign_id = campaign_of
    AND t.version = coalesce(part.question_set_version, 0);
  IF hash IS NOT NULL THEN
    -- Whoever submits to the campaign at the same time waits for its lock.
    SELECT count(*) INTO repeats FROM (
      SELECT FROM participation AS o
      WHERE o.company_id = company AND o.campaign_id = campaign_of AND o.text_hash = hash
      LIMIT repeats_maximum
    ) AS same;
  END IF;
  UPDATE participation AS o SET state = 'submitted', closed_at = moment, attention_score = score,
    cohort = attention_cohort, reward = earned, submission = content,
    answer_percentile = percentile, longest_run = run, compared_answers = compared,
    consistency = agreement, text_repeats = repeats, answers = given, text_hash = hash,
    quality_flags = flags + CASE WHEN percentile < fast_below THEN 1 ELSE 0 END
      + CASE WHEN repeats >= repeated_from THEN 8 ELSE 0 END
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  RETURNING o.* INTO part;
  part.answers := NULL;
  IF earned > 0 THEN
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount, released)
    VALUES (company, campaign_of, participation, 'settle', earned, part.held - earned);
  ELSIF part.held > 0 THEN
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount)
    VALUES (company, campaign_of, participation, 'release', part.held);
  END IF;
  -- Events are numbered by their times, so these are in the order of the counters.
  logged := greatest(clock_timestamp(), moment, c.updated_at + interval '1 microsecond');
  UPDATE campaign_progress AS g
  SET answered = g.answered + 1, held = g.held - part.held, spent = g.spent + earned,
    logged_at = greatest(logged,
      (g.logged_at AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')
  WHERE g.company_id = company AND g.campaign_id = campaign_of
  RETURNING * INTO progress;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, participation, 1, 'response.submitted', caller,
    jsonb_build_object('post_id', c.post_id, 'cohort', attention_cohort, 'reward', earned,
      'answered', progress.answered, 'spent', progress.spent, 'held', progress.held),
    progress.logged_at);
  IF part.cells IS NOT NULL THEN
    PERFORM submit_cells(company, campaign_of, part.cells);
  END IF;
  IF c.max_responses IS NOT NULL OR c.budget IS NOT NULL THEN
    PERFORM settle_limits(c);
  END IF;
  became := 'submitted';
END $$;

-- Name: tabulated_cells(uuid, bigint, uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.tabulated_cells(company uuid, campaign_of bigint, participation_of uuid) RETURNS TABLE(cell smallint)
    LANGUAGE plpgsql STABLE
    AS $$
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

-- Name: tabulated_columns(uuid, bigint, jsonb, jsonb, jsonb, smallint[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.tabulated_columns(company uuid, campaign_of bigint, variables jsonb, questions jsonb, answers jsonb, cells smallint[]) RETURNS integer[]
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  columns_maximum CONSTANT integer := 500;
  variable jsonb;
  position_of integer;
  question jsonb;
  size integer;
  sizes integer := 1;
  given integer[];
  found integer[] := ARRAY[0];
BEGIN
  FOR variable IN SELECT v.variable FROM jsonb_array_elements(variables) AS v (variable) LOOP
    IF variable ? 'question' THEN
      position_of := question_position(questions, variable ->> 'question');
      question := questions -> (position_of - 1);
      size := 1 + column_count(question);
      given := column_numbers(question, option_positions(question -> 'options'),
        answer_to(answers, position_of));
    ELSE
      size := 1 + jsonb_array_length(variable -> 'quotas');
      SELECT ARRAY[coalesce(min(n.position), 0)::integer] INTO given
      FROM jsonb_array_elements_text(variable -> 'quotas') WITH ORDINALITY AS n (name, position)
      JOIN quota_cell AS q ON q.company_id = company AND q.campaign_id = campaign_of
        AND q.name = n.name AND q.cell = ANY (cells);
    END IF;
    sizes := sizes * size;
    IF sizes <= columns_maximum THEN
      SELECT array_agg(f.number * size + g.number) INTO found
      FROM unnest(found) AS f (number) CROSS JOIN unnest(given) AS g (number);
    ELSE
      RETURN NULL;
    END IF;
  END LOOP;
  RETURN found;
END $$;

-- Name: take_cells(uuid, bigint, smallint[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.take_cells(company uuid, campaign_of bigint, wanted smallint[]) RETURNS smallint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  counts integer[];
  limits integer[];
  cell smallint;
BEGIN
  SELECT g.taken, g.maximums INTO counts, limits FROM cell_counts AS g
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  FOREACH cell IN ARRAY wanted LOOP
    IF counts[cell] >= limits[cell] THEN
      RETURN cell;
    END IF;
    counts[cell] := counts[cell] + 1;
  END LOOP;
  UPDATE cell_counts AS g SET taken = counts
  WHERE g.company_id = company AND g.campaign_id = campaign_of;
  RETURN NULL;
END $$;

-- Name: time_bucket(double precision); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.time_bucket(seconds double precision) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ceil((ln(GREATEST(seconds, (0.001)::double precision)) / ln(((1.01)::double precision / (0.99)::double precision)))))::integer;

-- Name: typed_amounts(uuid, smallint, bigint[], uuid[]); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.typed_amounts(company uuid, in_cell smallint, campaigns bigint[], participations uuid[]) RETURNS TABLE(campaign_id bigint, version integer, kind text, item text, key text, cohort_1 numeric, cohort_2 numeric, cohort_3 numeric, cohort_4 numeric, cohort_5 numeric)
    LANGUAGE plpgsql STABLE
    AS $_$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH chosen AS MATERIALIZED (
    SELECT n.campaign_id, p.version, p.cohort, p.answers
    FROM unnest(campaigns, participations) AS n (campaign_id, participation_id)
    CROSS JOIN LATERAL (
      SELECT o.question_set_version AS version, o.cohort, o.answers::jsonb AS answers
      FROM participation AS o
      WHERE o.company_id = company AND o.campaign_id = n.campaign_id
        AND o.participation_id = n.participation_id AND o.state = 'submitted'
      LIMIT 1
    ) AS p
    WHERE p.answers IS NOT NULL AND p.version IS NOT NULL
  ), question AS MATERIALIZED (
    SELECT s.campaign_id, s.version, q.position::text AS item, q.question ->> 'type' AS type,
      coalesce(q.question ->> 'key', 'q' || q.position) AS key, q.question -> 'scale' AS scale,
      q.question -> 'correct' AS correct,
      CASE WHEN q.question ? 'show_if' OR q.question @? '$.options[*].show_if'
        OR q.question @? '$.rows[*].show_if' THEN q.question END AS conditional,
      q.question ->> 'type' <> 'ranking' AND q.question @? '$.options[*].show_if' AS has_offers,
      CASE WHEN q.question ->> 'type' IN ('matrix', 'ranking')
        THEN option_positions(coalesce(q.question -> 'rows', q.question -> 'options'))
      END AS positions, CASE WHEN q.question ->> 'type' IN ('number', 'date', 'ranking') THEN (
        SELECT t.cohort_1::integer FROM tally AS t
        WHERE t.company_id = company AND t.campaign_id = s.campaign_id AND t.version = s.version
          AND t.cell = in_cell AND t.kind = 'coarse' AND t.item = q.position::text AND t.key = ''
      ) END AS level
    FROM (SELECT DISTINCT c.campaign_id, c.version FROM chosen AS c) AS s
    CROSS JOIN LATERAL (
      SELECT g.questions FROM question_set AS g
      WHERE g.company_id = company AND g.campaign_id = s.campaign_id AND g.version = s.version
      LIMIT 1
    ) AS o
    CROSS JOIN LATERAL jsonb_array_elements(o.questions) WITH ORDINALITY AS q (question, position)
  ), sent AS MATERIALIZED (
    -- By themselves, so that the join does not expand them again for each question.
    SELECT d.campaign_id, d.version, d.cohort, a ->> 'question' AS item, a AS answer
    FROM chosen AS d CROSS JOIN LATERAL jsonb_array_elements(d.answers) AS a
  ), respondent AS MATERIALIZED (
    SELECT c.campaign_id, c.version, c.cohort, answers_by_key(c.answers) AS answered
    FROM chosen AS c
  ), answer AS MATERIALIZED (
    SELECT s.campaign_id, s.version, s.cohort, q.item, q.type, s.answer -> 'value' AS value,
      s.answer ? 'other' AS has_other, s.answer ? 'comment' AS has_comment,
      -- Options in any order.
      s.answer -> 'value' @> q.correct AND q.correct @> (s.answer -> 'value') AS is_right
    FROM sent AS s
    JOIN question AS q ON q.campaign_id = s.campaign_id AND q.version = s.version
      AND q.item = s.item
  ), given AS MATERIALIZED (
    -- The answers that are equal.
    SELECT a.campaign_id, a.version, a.cohort, a.item, a.value, count(*) AS n
    FROM answer AS a
    WHERE a.type IN ('rating', 'nps', 'number', 'date', 'ranking', 'matrix', 'checkbox')
    GROUP BY a.campaign_id, a.version, a.cohort, a.item, a.value
  ), amount AS (
    -- A cluster loses names that stand in the head of a WITH.
    SELECT g.campaign_id, g.version, g.cohort, m.kind, g.item || m.part AS item, m.key,
      g.n * m.n AS n
    FROM given AS g
    JOIN question AS q ON q.campaign_id = g.campaign_id AND q.version = g.version
      AND q.item = g.item
    CROSS JOIN LATERAL answer_amounts(q.type, q.scale, q.positions, coalesce(q.level, 0), g.value)
      AS m
    UNION ALL
    SELECT a.campaign_id, a.version, a.cohort, v.kind, a.item, '', 1
    FROM answer AS a
    CROSS JOIN LATERAL (VALUES
      ('other', a.has_other), ('comment', a.has_comment), ('right', a.is_right)
    ) AS v (kind, has)
    WHERE v.has
    UNION ALL
    SELECT d.campaign_id, d.version, d.cohort, 'hidden', q.item, '', 1
    FROM respondent AS d
    JOIN question AS q ON q.campaign_id = d.campaign_id AND q.version = d.version
    WHERE q.conditional IS NOT NULL AND NOT is_question_shown(q.conditional, d.answered)
    UNION ALL
    SELECT d.campaign_id, d.version, d.cohort, 'offered', q.item || p.part, o.option, 1
    FROM respondent AS d
    JOIN question AS q ON q.campaign_id = d.campaign_id AND q.version = d.version AND q.has_offers
    CROSS JOIN LATERAL (
      SELECT '' AS part WHERE q.type <> 'matrix' AND d.answered ? q.key
      UNION ALL
      SELECT '.' || (q.positions ->> r.row)
      FROM jsonb_object_keys(CASE WHEN q.type = 'matrix' THEN d.answered -> q.key END) AS r (row)
    ) AS p
    CROSS JOIN LATERAL (
      SELECT coalesce(e.option ->> 'key', e.option ->> 'text') AS option
      FROM jsonb_array_elements(q.conditional -> 'options') AS e (option)
      WHERE is_shown(e.option -> 'show_if', d.answered)
    ) AS o
  )
  SELECT a.campaign_id, a.version, a.kind, a.item, a.key,
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 1), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 2), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 3), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 4), 0),
    coalesce(sum(a.n) FILTER (WHERE a.cohort = 5), 0)
  FROM amount AS a GROUP BY a.campaign_id, a.version, a.kind, a.item, a.key;
END $_$;

-- Name: utc_day(); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.utc_day() RETURNS date
    LANGUAGE sql
    AS $$
  SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date
$$;

-- Name: wake_allotments(uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.wake_allotments(company uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE allotment_due AS d SET is_waiting = false
  WHERE d.company_id = company AND d.campaign_id IN (
    SELECT o.campaign_id FROM allotment_due AS o
    WHERE o.company_id = company AND o.is_waiting
    ORDER BY o.is_dry DESC, o.due_at LIMIT 20
    FOR NO KEY UPDATE SKIP LOCKED
  );
END $$;

-- Name: watch_balance(uuid); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.watch_balance(company uuid) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  full_at CONSTANT integer := 100;
  kinds CONSTANT text[] :=
    ARRAY['questionnaire', 'round_robin', 'binary', 'image_slider', 'advertisement'];
  b balance%ROWTYPE;
  s record;
  is_short boolean;
BEGIN
  SELECT * INTO b FROM balance AS o WHERE o.company_id = company FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  DELETE FROM allotment_due AS d WHERE d.company_id = company AND d.campaign_id = 0;
  -- Campaigns that were live, or had an allotment, when the company was switched.
  INSERT INTO allotment_due AS d (company_id, campaign_id)
  SELECT n.company_id, n.campaign_id FROM (
    SELECT c.company_id, c.id AS campaign_id FROM campaign AS c
    WHERE b.is_prepaid AND c.company_id = company AND coalesce(c.format, c.type) = ANY (kinds)
      AND c.status = 'live' AND NOT c.is_prepaid
    UNION ALL
    SELECT g.company_id, g.campaign_id FROM campaign_progress AS g
    WHERE NOT b.is_prepaid AND g.company_id = company AND g.allotment IS NOT NULL
  ) AS n
  ORDER BY n.campaign_id
  ON CONFLICT (company_id, campaign_id) DO UPDATE SET is_waiting = false WHERE d.is_waiting;
  SELECT coalesce(sum(g.allotment - g.held - g.spent), 0) AS allotted,
    -- A campaign without limits does not end a shortage before it could get two allotments.
    coalesce(sum(CASE WHEN g.budget IS NULL AND g.max_responses IS NULL
      THEN full_at * c.largest_reward * CASE WHEN b.is_low THEN 2 ELSE 1 END
      ELSE greatest(0, still_to_come(company, c.id))
    END), 0) AS to_come
  INTO s
  FROM campaign AS c
  JOIN campaign_progress AS g ON g.company_id = company AND g.campaign_id = c.id
  WHERE c.company_id = company AND coalesce(c.format, c.type) = ANY (kinds)
    AND c.status = 'live' AND c.is_prepaid;
  is_short := b.is_prepaid AND b.available + s.allotted < s.to_come;
  IF is_short <> b.is_low THEN
    UPDATE balance AS o SET is_low = is_short WHERE o.company_id = company;
    IF is_short THEN
      PERFORM record_balance_event(company, 'balance.low', jsonb_build_object(
        'available', b.available, 'allotted', s.allotted, 'still_to_come', s.to_come));
    END IF;
  END IF;
END $$;

-- Name: write_tally(uuid, smallint, bigint[], integer[], text[], text[], text[], numeric[], numeric[], numeric[], numeric[], numeric[], boolean); Type: FUNCTION; Schema: public; Owner: -

CREATE FUNCTION public.write_tally(company uuid, in_cell smallint, campaign_ids bigint[], versions integer[], kinds text[], items text[], keys text[], cohorts_1 numeric[], cohorts_2 numeric[], cohorts_3 numeric[], cohorts_4 numeric[], cohorts_5 numeric[], is_removal boolean) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  taken record;
  touched record;
BEGIN
  IF is_removal THEN
    -- Row by row: a plan for all of them, made while the tally was small, compares each with each.
    FOR taken IN
      SELECT * FROM unnest(campaign_ids, versions, kinds, items, keys,
        cohorts_1, cohorts_2, cohorts_3, cohorts_4, cohorts_5)
        AS a (campaign_id, version, kind, item, key,
          cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
    LOOP
      UPDATE tally AS t
      SET cohort_1 = t.cohort_1 - taken.cohort_1, cohort_2 = t.cohort_2 - taken.cohort_2,
        cohort_3 = t.cohort_3 - taken.cohort_3, cohort_4 = t.cohort_4 - taken.cohort_4,
        cohort_5 = t.cohort_5 - taken.cohort_5
      WHERE t.company_id = company AND t.campaign_id = taken.campaign_id
        AND t.version = taken.version AND t.cell = in_cell AND t.kind = taken.kind
        AND t.item = taken.item AND t.key = taken.key;
    END LOOP;
    -- What was only in what is taken out leaves no trace. Ratings can be negative, so their sum can
    -- be 0 and still have something to take out.
    FOR taken IN
      SELECT * FROM unnest(campaign_ids, versions, kinds, items, keys)
        AS a (campaign_id, version, kind, item, key)
    LOOP
      DELETE FROM tally AS t
      WHERE t.company_id = company AND t.campaign_id = taken.campaign_id
        AND t.version = taken.version AND t.cell = in_cell AND t.kind = taken.kind
        AND t.item = taken.item AND t.key = taken.key
        AND t.cohort_1 = 0 AND t.cohort_2 = 0 AND t.cohort_3 = 0 AND t.cohort_4 = 0
        AND t.cohort_5 = 0
        AND (t.kind <> 'rating' OR NOT EXISTS (
          SELECT FROM tally AS a
          WHERE a.company_id = company AND a.campaign_id = t.campaign_id AND a.version = t.version
            AND a.cell = in_cell AND a.kind = 'answered' AND a.item = t.item
            AND greatest(a.cohort_1, a.cohort_2, a.cohort_3, a.cohort_4, a.cohort_5) > 0
        ));
    END LOOP;
  ELSE
    INSERT INTO tally AS t (company_id, cell, campaign_id, version, kind, item, key,
      cohort_1, cohort_2, cohort_3, cohort_4, cohort_5)
    SELECT company, in_cell, a.*
    FROM unnest(campaign_ids, versions, kinds, items, keys,
      cohorts_1, cohorts_2, cohorts_3, cohorts_4, cohorts_5) AS a
    ON CONFLICT (company_id, campaign_id, version, cell, kind, item, key) DO UPDATE
    SET cohort_1 = t.cohort_1 + excluded.cohort_1, cohort_2 = t.cohort_2 + excluded.cohort_2,
      cohort_3 = t.cohort_3 + excluded.cohort_3, cohort_4 = t.cohort_4 + excluded.cohort_4,
      cohort_5 = t.cohort_5 + excluded.cohort_5;
    FOR touched IN
      SELECT DISTINCT a.campaign_id, a.version, a.kind, a.item
      FROM unnest(campaign_ids, versions, kinds, items)
        AS a (campaign_id, version, kind, item)
      WHERE a.kind IN ('value', 'date', 'order')
    LOOP
      PERFORM coarsen_tally(company, in_cell, touched.campaign_id, touched.version, touched.kind,
        touched.item);
    END LOOP;
  END IF;
END $$;

-- Name: allotment_due; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.allotment_due (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    due_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    is_waiting boolean DEFAULT false NOT NULL,
    is_dry boolean DEFAULT false NOT NULL
);

-- Name: TABLE allotment_due; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.allotment_due IS 'distributed by company_id';

-- Name: answer_times; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.answer_times (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    version integer NOT NULL,
    responses bigint NOT NULL,
    percentiles integer[] NOT NULL,
    CONSTRAINT answer_times_percentiles CHECK (((cardinality(percentiles) = 100) AND (array_position(percentiles, NULL::integer) IS NULL)))
);

-- Name: TABLE answer_times; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.answer_times IS 'distributed by company_id';

-- Name: api_key; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.api_key (
    key_id text NOT NULL,
    id bigint NOT NULL,
    company_id uuid NOT NULL,
    mode text DEFAULT 'live'::text NOT NULL,
    key_hash bytea NOT NULL,
    prefix text NOT NULL,
    name text,
    scopes text[] NOT NULL,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    overlap_ends_at timestamp(3) with time zone,
    replaced_by text,
    last_used_at timestamp(3) with time zone,
    spending_limit numeric(12,2),
    spending_per text,
    spender uuid,
    approval_above numeric(12,2),
    version integer DEFAULT 1 NOT NULL,
    updated_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT api_key_approval_above CHECK ((approval_above >= (0)::numeric)),
    CONSTRAINT api_key_mode_known CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_key_scopes_known CHECK (((scopes <@ ARRAY['campaigns:read'::text, 'campaigns:write'::text, 'events:read'::text, 'webhooks:read'::text, 'webhooks:write'::text, 'responses:read'::text, 'ledger:read'::text]) AND (cardinality(scopes) > 0))),
    CONSTRAINT api_key_spender CHECK (((spender IS NOT NULL) OR (num_nonnulls(spending_limit, approval_above) = 0))),
    CONSTRAINT api_key_spending_limit CHECK (((num_nulls(spending_limit, spending_per) = ANY (ARRAY[0, 2])) AND (spending_limit >= (0)::numeric))),
    CONSTRAINT api_key_spending_per CHECK ((spending_per = ANY (ARRAY['day'::text, 'month'::text, 'total'::text])))
);

-- Name: TABLE api_key; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.api_key IS 'local';

-- Name: api_key_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.api_key ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: applied_function; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.applied_function (
    name text NOT NULL,
    hash text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

-- Name: TABLE applied_function; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.applied_function IS 'local';

-- Name: archived_payment; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.archived_payment (
    company_id uuid NOT NULL,
    seq bigint NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    kind text NOT NULL,
    amount numeric(12,2) NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL
);

-- Name: TABLE archived_payment; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.archived_payment IS 'distributed by company_id';

-- Name: archived_submission; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.archived_submission (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    seq bigint NOT NULL,
    participation_id uuid NOT NULL,
    cohort smallint NOT NULL
);

-- Name: TABLE archived_submission; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.archived_submission IS 'distributed by company_id';

-- Name: balance; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.balance (
    company_id uuid NOT NULL,
    is_prepaid boolean DEFAULT false NOT NULL,
    available numeric(20,2) DEFAULT 0 NOT NULL,
    funded numeric(20,2) DEFAULT 0 NOT NULL,
    postpaid numeric(20,2) DEFAULT 0 NOT NULL,
    is_low boolean DEFAULT false NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    logged_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT balance_available_not_negative CHECK ((available >= (0)::numeric))
);

-- Name: TABLE balance; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.balance IS 'distributed by company_id';

-- Name: begin_pace; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.begin_pace (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    minute integer NOT NULL,
    begun integer[] NOT NULL,
    CONSTRAINT begin_pace_begun CHECK (((cardinality(begun) = 61) AND (0 <= ALL (begun))))
)
WITH (fillfactor='50');

-- Name: TABLE begin_pace; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.begin_pace IS 'distributed by company_id';

-- Name: bonus; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.bonus (
    company_id uuid NOT NULL,
    bonus_ref public.bonus_reference NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL
);

-- Name: TABLE bonus; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.bonus IS 'distributed by company_id';

-- Name: campaign_charge; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.campaign_charge (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    number integer NOT NULL,
    spender uuid,
    day date NOT NULL,
    amount numeric(20,2) NOT NULL,
    CONSTRAINT campaign_charge_positive CHECK ((amount > (0)::numeric))
);

-- Name: TABLE campaign_charge; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.campaign_charge IS 'distributed by company_id';

-- Name: campaign_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.campaign ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.campaign_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: campaign_progress; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.campaign_progress (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    max_responses integer,
    budget numeric(12,2),
    taken public.counter DEFAULT 0 NOT NULL,
    answered public.counter DEFAULT 0 NOT NULL,
    reversed public.counter DEFAULT 0 NOT NULL,
    abandoned public.counter DEFAULT 0 NOT NULL,
    expired public.counter DEFAULT 0 NOT NULL,
    held public.total_amount DEFAULT 0 NOT NULL,
    spent public.total_amount DEFAULT 0 NOT NULL,
    screened_out public.counter DEFAULT 0 NOT NULL,
    screen_out_spent public.total_amount DEFAULT 0 NOT NULL,
    allotment numeric(20,2),
    bonus_spent public.total_amount DEFAULT 0 NOT NULL,
    disputed public.counter DEFAULT 0 NOT NULL,
    logged_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

-- Name: TABLE campaign_progress; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.campaign_progress IS 'distributed by company_id';

-- Name: carried_balance; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.carried_balance (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    kind text NOT NULL,
    transfers bigint NOT NULL,
    amount numeric(20,2) NOT NULL,
    released numeric(20,2) NOT NULL,
    first_at timestamp(3) with time zone NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT carried_balance_kind CHECK ((kind = ANY (ARRAY['hold'::text, 'settle'::text, 'release'::text, 'reverse'::text, 'screen_out'::text, 'bonus'::text]))),
    CONSTRAINT carried_balance_positive CHECK (((transfers > 0) AND (amount > (0)::numeric))),
    CONSTRAINT carried_balance_released CHECK (((released >= (0)::numeric) AND ((released = (0)::numeric) OR (kind = 'settle'::text)))),
    CONSTRAINT carried_balance_times CHECK ((first_at <= last_at))
);

-- Name: TABLE carried_balance; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.carried_balance IS 'distributed by company_id';

-- Name: cell_counts; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.cell_counts (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    taken integer[] NOT NULL,
    maximums integer[] NOT NULL
)
WITH (fillfactor='50');

-- Name: TABLE cell_counts; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.cell_counts IS 'distributed by company_id';

-- Name: company; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.company (
    company_id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    currency text DEFAULT 'USD'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT company_currency_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT company_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200)))
);

-- Name: TABLE company; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.company IS 'reference';

-- Name: deletion; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.deletion (
    company_id uuid NOT NULL,
    id text NOT NULL
);

-- Name: TABLE deletion; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.deletion IS 'distributed by company_id';

-- Name: event; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.event (
    company_id uuid NOT NULL,
    subject uuid NOT NULL,
    version integer NOT NULL,
    type public.event_type NOT NULL,
    actor text NOT NULL,
    changes jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    seq bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');

-- Name: TABLE event; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.event IS 'distributed by company_id';

-- Name: event_sequence; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.event_sequence (
    company_id uuid NOT NULL,
    last_seq bigint NOT NULL,
    first_seq bigint DEFAULT 1 NOT NULL,
    CONSTRAINT event_sequence_order CHECK (((first_seq >= 1) AND (first_seq <= (last_seq + 1))))
);

-- Name: TABLE event_sequence; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.event_sequence IS 'distributed by company_id';

-- Name: funding; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.funding (
    company_id uuid NOT NULL,
    reference text NOT NULL,
    kind text NOT NULL,
    amount numeric(12,2) NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT funding_amount_range CHECK (((amount > (0)::numeric) AND (amount <= (1000000000)::numeric))),
    CONSTRAINT funding_kind CHECK ((kind = ANY (ARRAY['fund'::text, 'refund'::text]))),
    CONSTRAINT funding_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200)))
);

-- Name: TABLE funding; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.funding IS 'distributed by company_id';

-- Name: guardrail; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.guardrail (
    company_id uuid NOT NULL,
    guardrail_id text NOT NULL,
    slot smallint NOT NULL,
    post_id text,
    campaign_slot smallint NOT NULL,
    name text NOT NULL,
    conditions jsonb NOT NULL,
    action text NOT NULL,
    since_seq bigint NOT NULL,
    armed_seq bigint NOT NULL,
    firings integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT guardrail_action CHECK ((action = ANY (ARRAY['stop'::text, 'complete'::text, 'notify'::text]))),
    CONSTRAINT guardrail_campaign_maximum CHECK (((campaign_slot >= 1) AND (campaign_slot <= 10))),
    CONSTRAINT guardrail_complete CHECK (((action <> 'complete'::text) OR (conditions @> '[{"metric": "interval_width"}]'::jsonb))),
    CONSTRAINT guardrail_conditions CHECK (((jsonb_array_length(conditions) >= 1) AND (jsonb_array_length(conditions) <= 5))),
    CONSTRAINT guardrail_maximum CHECK (((slot >= 1) AND (slot <= 50))),
    CONSTRAINT guardrail_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
);

-- Name: TABLE guardrail; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.guardrail IS 'distributed by company_id';

-- Name: guardrail_position; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.guardrail_position (
    company_id uuid NOT NULL,
    seq bigint NOT NULL,
    revision uuid NOT NULL
);

-- Name: TABLE guardrail_position; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.guardrail_position IS 'distributed by company_id';

-- Name: guardrail_watch; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.guardrail_watch (
    company_id uuid NOT NULL,
    guardrail_id text NOT NULL,
    post_id text NOT NULL,
    since_seq bigint NOT NULL,
    state jsonb,
    fired_seq bigint,
    fired_at timestamp(3) with time zone,
    fired_values jsonb,
    fired_stopped boolean,
    CONSTRAINT guardrail_watch_fired CHECK ((num_nonnulls(fired_seq, fired_at, fired_values, fired_stopped) = ANY (ARRAY[0, 4])))
);

-- Name: TABLE guardrail_watch; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.guardrail_watch IS 'distributed by company_id';

-- Name: idempotency_record; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.idempotency_record (
    scope uuid NOT NULL,
    key_hash bytea NOT NULL,
    fingerprint bytea NOT NULL,
    outcome bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');

-- Name: TABLE idempotency_record; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.idempotency_record IS 'distributed by scope';

-- Name: key_spending; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.key_spending (
    company_id uuid NOT NULL,
    spender uuid NOT NULL,
    period text NOT NULL,
    committed numeric(20,2) NOT NULL,
    ceiling numeric(20,2) NOT NULL,
    CONSTRAINT key_spending_not_negative CHECK ((committed >= (0)::numeric)),
    CONSTRAINT key_spending_within_limit CHECK ((committed <= ceiling))
);

-- Name: TABLE key_spending; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.key_spending IS 'distributed by company_id';

-- Name: lease; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.lease (
    name text NOT NULL,
    holder uuid NOT NULL,
    held_until timestamp(3) with time zone NOT NULL,
    kept jsonb DEFAULT '{}'::jsonb NOT NULL
);

-- Name: TABLE lease; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.lease IS 'local';

-- Name: migrations; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);

-- Name: migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -

CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- Name: migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -

ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;

-- Name: platform_key; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.platform_key (
    key_id text NOT NULL,
    key_hash bytea NOT NULL,
    prefix text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    revoked_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT platform_key_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT platform_key_scopes_known CHECK (((scopes <@ ARRAY['fielding:read'::text, 'fielding:write'::text, 'settlements:read'::text]) AND (cardinality(scopes) > 0)))
);

-- Name: TABLE platform_key; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.platform_key IS 'local';

-- Name: post_id_key; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.post_id_key (
    is_key boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT post_id_key_length CHECK ((octet_length(key) = 32)),
    CONSTRAINT post_id_key_one CHECK (is_key)
);

-- Name: TABLE post_id_key; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.post_id_key IS 'local';

-- Name: question_set; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.question_set (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    version integer NOT NULL,
    question_id text NOT NULL,
    questions jsonb NOT NULL,
    total_questions smallint NOT NULL,
    types jsonb GENERATED ALWAYS AS (jsonb_path_query_array(questions, '$[*]."type"'::jsonpath)) STORED NOT NULL,
    language text,
    translations jsonb,
    sections jsonb,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    size integer GENERATED ALWAYS AS (((octet_length((questions)::text) + COALESCE(octet_length((translations)::text), 0)) + COALESCE(octet_length((sections)::text), 0))) STORED NOT NULL,
    CONSTRAINT question_set_language CHECK (((language ~ '^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*$'::text) AND ((char_length(language) >= 2) AND (char_length(language) <= 35)))),
    CONSTRAINT question_set_questions CHECK ((jsonb_typeof(questions) = 'array'::text)),
    CONSTRAINT question_set_sections CHECK (((jsonb_typeof(sections) = 'array'::text) AND ((jsonb_array_length(sections) >= 1) AND (jsonb_array_length(sections) <= 300)))),
    CONSTRAINT question_set_total CHECK ((((total_questions >= 1) AND (total_questions <= 300)) AND (total_questions = jsonb_array_length(questions)))),
    CONSTRAINT question_set_translations CHECK (((jsonb_typeof(translations) = 'object'::text) AND (translations <> '{}'::jsonb) AND ((translations IS NULL) OR (language IS NOT NULL)))),
    CONSTRAINT question_set_types CHECK ((types <@ '["descriptive", "text", "single_choice", "multiple_choice", "rating", "nps", "number", "date", "ranking", "matrix", "checkbox", "statement"]'::jsonb))
);

-- Name: TABLE question_set; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.question_set IS 'distributed by company_id';

-- Name: quota_cell; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.quota_cell (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    cell smallint NOT NULL,
    quota_id uuid NOT NULL,
    name text NOT NULL,
    maximum integer,
    submitted public.cell_count DEFAULT 0 NOT NULL,
    kept boolean DEFAULT false NOT NULL,
    filled boolean DEFAULT false NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    CONSTRAINT quota_cell_maximum CHECK (((maximum >= 1) AND (maximum <= 10000000))),
    CONSTRAINT quota_cell_number CHECK ((cell > 0))
)
WITH (fillfactor='50');

-- Name: TABLE quota_cell; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.quota_cell IS 'distributed by company_id';

-- Name: refused_begin; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.refused_begin (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    reason text NOT NULL,
    rule text NOT NULL,
    refused bigint NOT NULL,
    CONSTRAINT refused_begin_positive CHECK ((refused > 0)),
    CONSTRAINT refused_begin_reason CHECK ((reason = ANY (ARRAY['screened_out'::text, 'quota_full'::text, 'pace_reached'::text])))
);

-- Name: TABLE refused_begin; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.refused_begin IS 'distributed by company_id';

-- Name: results_link; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.results_link (
    company_id uuid NOT NULL,
    post_id text NOT NULL,
    kind text NOT NULL,
    slot smallint NOT NULL,
    id bigint NOT NULL,
    link_id text NOT NULL,
    token_hash bytea NOT NULL,
    cohorts smallint[],
    show text[] DEFAULT '{}'::text[] NOT NULL,
    compare text,
    language text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT results_link_cohorts_known CHECK (((cohorts <@ '{1,2,3,4,5}'::smallint[]) AND (cardinality(cohorts) > 0))),
    CONSTRAINT results_link_compare CHECK (((kind = 'results'::text) OR (compare IS NULL))),
    CONSTRAINT results_link_kind_known CHECK ((kind = ANY (ARRAY['results'::text, 'preview'::text]))),
    CONSTRAINT results_link_lifetime CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '8760:00:00'::interval)))),
    CONSTRAINT results_link_maximum CHECK (((slot >= 1) AND (slot <= 20))),
    CONSTRAINT results_link_show_known CHECK (((show <@ '{crosstabs,texts,downloads}'::text[]) AND ((kind = 'results'::text) OR (show = '{}'::text[]))))
);

-- Name: TABLE results_link; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.results_link IS 'local';

-- Name: results_link_id_seq; Type: SEQUENCE; Schema: public; Owner: -

ALTER TABLE public.results_link ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.results_link_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: sealed_key; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.sealed_key (
    name text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE sealed_key; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.sealed_key IS 'local';

-- Name: settlement; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.settlement (
    company_id uuid NOT NULL,
    settlement_id uuid NOT NULL,
    platform text NOT NULL,
    currency text NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    previous_id uuid,
    payments bigint NOT NULL,
    campaigns integer NOT NULL,
    net numeric(20,2) NOT NULL,
    sha256 bytea NOT NULL,
    closed_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    paid_at timestamp(3) with time zone,
    reference text,
    CONSTRAINT settlement_content CHECK (((payments >= campaigns) AND (campaigns > 0) AND (octet_length(sha256) = 32))),
    CONSTRAINT settlement_follows CHECK (((previous_id IS NULL) = (from_seq = 0))),
    CONSTRAINT settlement_paid CHECK (((paid_at IS NULL) = (reference IS NULL))),
    CONSTRAINT settlement_range CHECK (((from_seq >= 0) AND (from_seq < to_seq))),
    CONSTRAINT settlement_reference_length CHECK (((char_length(reference) >= 1) AND (char_length(reference) <= 200)))
);

-- Name: TABLE settlement; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.settlement IS 'distributed by company_id';

-- Name: settlement_line; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.settlement_line (
    company_id uuid NOT NULL,
    settlement_id uuid NOT NULL,
    "position" integer NOT NULL,
    campaign_id bigint NOT NULL,
    payments bigint NOT NULL,
    net numeric(20,2) NOT NULL,
    CONSTRAINT settlement_line_payments CHECK ((payments > 0))
);

-- Name: TABLE settlement_line; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.settlement_line IS 'distributed by company_id';

-- Name: settlement_position; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.settlement_position (
    company_id uuid NOT NULL,
    seq bigint NOT NULL
);

-- Name: TABLE settlement_position; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.settlement_position IS 'distributed by company_id';

-- Name: tabulation; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.tabulation (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    number smallint NOT NULL,
    variables jsonb NOT NULL,
    after_seq bigint NOT NULL,
    filled_seq bigint NOT NULL,
    removed boolean DEFAULT false NOT NULL,
    CONSTRAINT tabulation_filled CHECK ((filled_seq <= after_seq)),
    CONSTRAINT tabulation_number CHECK (((number >= 1) AND (number <= 64)))
);

-- Name: TABLE tabulation; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.tabulation IS 'distributed by company_id';

-- Name: tally; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.tally (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    version integer NOT NULL,
    cell smallint DEFAULT 0 NOT NULL,
    kind text NOT NULL,
    item text NOT NULL,
    key text NOT NULL,
    cohort_1 numeric NOT NULL,
    cohort_2 numeric NOT NULL,
    cohort_3 numeric NOT NULL,
    cohort_4 numeric NOT NULL,
    cohort_5 numeric NOT NULL,
    CONSTRAINT tally_not_negative CHECK (((kind = 'rating'::text) OR (LEAST(cohort_1, cohort_2, cohort_3, cohort_4, cohort_5) >= (0)::numeric)))
)
WITH (fillfactor='50');

-- Name: TABLE tally; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.tally IS 'distributed by company_id';

-- Name: tally_position; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.tally_position (
    company_id uuid NOT NULL,
    folded_seq bigint DEFAULT 0 NOT NULL
);

-- Name: TABLE tally_position; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.tally_position IS 'distributed by company_id';

-- Name: targeting; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.targeting (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    version integer NOT NULL,
    content jsonb NOT NULL,
    cells smallint[] NOT NULL,
    audience jsonb,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT targeting_audience CHECK ((jsonb_typeof(audience) = 'object'::text)),
    CONSTRAINT targeting_cells CHECK ((cardinality(cells) = jsonb_array_length((content -> 'quotas'::text)))),
    CONSTRAINT targeting_content CHECK (((jsonb_typeof(content) = 'object'::text) AND (jsonb_array_length((content -> 'attributes'::text)) <= 20) AND (jsonb_array_length((content -> 'quotas'::text)) <= 200) AND (octet_length((content)::text) <= 262144)))
);

-- Name: TABLE targeting; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.targeting IS 'distributed by company_id';

-- Name: transfer; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.transfer (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    kind public.transfer_kind NOT NULL,
    amount public.transfer_amount NOT NULL,
    released public.released_amount DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT transfer_released CHECK ((((released)::numeric = (0)::numeric) OR ((kind)::text = 'settle'::text)))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');

-- Name: TABLE transfer; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.transfer IS 'distributed by company_id';

-- Name: unnumbered_event; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.unnumbered_event (
    company_id uuid NOT NULL,
    subject uuid NOT NULL,
    version integer NOT NULL,
    type public.event_type NOT NULL,
    actor text NOT NULL,
    changes jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');

-- Name: TABLE unnumbered_event; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.unnumbered_event IS 'distributed by company_id';

-- Name: webhook_delivery; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_delivery (
    company_id uuid NOT NULL,
    webhook_id text NOT NULL,
    seq bigint NOT NULL,
    state text NOT NULL,
    due_at timestamp(3) with time zone,
    claimed_at timestamp(3) with time zone,
    claim integer DEFAULT 1 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT webhook_delivery_state CHECK (
CASE state
    WHEN 'pending'::text THEN ((due_at IS NOT NULL) AND (finished_at IS NULL))
    WHEN 'delivered'::text THEN ((due_at IS NULL) AND (claimed_at IS NULL) AND (finished_at IS NOT NULL))
    WHEN 'failed'::text THEN ((due_at IS NULL) AND (claimed_at IS NULL) AND (finished_at IS NOT NULL))
    ELSE false
END)
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.02', autovacuum_analyze_threshold='1000');

-- Name: TABLE webhook_delivery; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.webhook_delivery IS 'distributed by company_id';

-- Name: webhook_endpoint; Type: TABLE; Schema: public; Owner: -

CREATE TABLE public.webhook_endpoint (
    company_id uuid NOT NULL,
    webhook_id text NOT NULL,
    slot smallint NOT NULL,
    url text NOT NULL,
    reads_responses boolean DEFAULT false NOT NULL,
    event_types text[],
    description text,
    currency text DEFAULT 'USD'::text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    disabled_reason text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_ends_at timestamp(3) with time zone,
    claimed_seq bigint NOT NULL,
    missed_from_seq bigint,
    missed_to_seq bigint,
    due_at timestamp(3) with time zone DEFAULT now(),
    failing_since timestamp(3) with time zone,
    tests integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    updated_by text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhook_endpoint_description_length CHECK (((char_length(description) >= 1) AND (char_length(description) <= 200))),
    CONSTRAINT webhook_endpoint_disabled_reason CHECK (
CASE
    WHEN enabled THEN (disabled_reason IS NULL)
    ELSE ((disabled_reason IS NOT NULL) AND (disabled_reason = ANY (ARRAY['owner'::text, 'gone'::text, 'failing'::text])))
END),
    CONSTRAINT webhook_endpoint_event_types_present CHECK ((cardinality(event_types) > 0)),
    CONSTRAINT webhook_endpoint_maximum CHECK (((slot >= 1) AND (slot <= 20))),
    CONSTRAINT webhook_endpoint_missed CHECK (
CASE
    WHEN (missed_to_seq IS NULL) THEN (missed_from_seq IS NULL)
    ELSE ((missed_from_seq IS NOT NULL) AND (missed_from_seq <= missed_to_seq) AND (missed_to_seq <= claimed_seq))
END),
    CONSTRAINT webhook_endpoint_url_length CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2048)))
);

-- Name: TABLE webhook_endpoint; Type: COMMENT; Schema: public; Owner: -

COMMENT ON TABLE public.webhook_endpoint IS 'distributed by company_id';

-- Name: migrations id; Type: DEFAULT; Schema: public; Owner: -

ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);

-- Name: migrations PK_8c82d7f526340ab734260ea46be; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);

-- Name: allotment_due allotment_due_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.allotment_due
    ADD CONSTRAINT allotment_due_pkey PRIMARY KEY (company_id, campaign_id);

-- Name: answer_times answer_times_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.answer_times
    ADD CONSTRAINT answer_times_pkey PRIMARY KEY (company_id, campaign_id, version);

-- Name: api_key api_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (key_id);

-- Name: applied_function applied_function_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.applied_function
    ADD CONSTRAINT applied_function_pkey PRIMARY KEY (name, hash);

-- Name: approval approval_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (company_id, approval_id);

-- Name: archived_payment archived_payment_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.archived_payment
    ADD CONSTRAINT archived_payment_pkey PRIMARY KEY (company_id, seq);

-- Name: archived_submission archived_submission_once; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.archived_submission
    ADD CONSTRAINT archived_submission_once UNIQUE (company_id, participation_id);

-- Name: archived_submission archived_submission_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.archived_submission
    ADD CONSTRAINT archived_submission_pkey PRIMARY KEY (company_id, campaign_id, seq);

-- Name: balance balance_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.balance
    ADD CONSTRAINT balance_pkey PRIMARY KEY (company_id);

-- Name: begin_pace begin_pace_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.begin_pace
    ADD CONSTRAINT begin_pace_pkey PRIMARY KEY (company_id, campaign_id);

-- Name: bonus bonus_once; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.bonus
    ADD CONSTRAINT bonus_once UNIQUE (company_id, participation_id);

-- Name: bonus bonus_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.bonus
    ADD CONSTRAINT bonus_pkey PRIMARY KEY (company_id, bonus_ref);

-- Name: campaign_charge campaign_charge_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign_charge
    ADD CONSTRAINT campaign_charge_pkey PRIMARY KEY (company_id, campaign_id, number);

-- Name: campaign campaign_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_pkey PRIMARY KEY (company_id, id);

-- Name: campaign campaign_post_id_unique; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_post_id_unique UNIQUE (company_id, post_id);

-- Name: campaign_progress campaign_progress_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign_progress
    ADD CONSTRAINT campaign_progress_pkey PRIMARY KEY (company_id, campaign_id);

-- Name: carried_balance carried_balance_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.carried_balance
    ADD CONSTRAINT carried_balance_pkey PRIMARY KEY (company_id, campaign_id, kind);

-- Name: cell_counts cell_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.cell_counts
    ADD CONSTRAINT cell_counts_pkey PRIMARY KEY (company_id, campaign_id);

-- Name: company company_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.company
    ADD CONSTRAINT company_pkey PRIMARY KEY (company_id);

-- Name: deletion deletion_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.deletion
    ADD CONSTRAINT deletion_pkey PRIMARY KEY (company_id, id);

-- Name: dispute dispute_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.dispute
    ADD CONSTRAINT dispute_pkey PRIMARY KEY (company_id, participation_id);

-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (company_id, subject, version);

-- Name: event_sequence event_sequence_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.event_sequence
    ADD CONSTRAINT event_sequence_pkey PRIMARY KEY (company_id);

-- Name: funding funding_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.funding
    ADD CONSTRAINT funding_pkey PRIMARY KEY (company_id, reference);

-- Name: guardrail guardrail_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.guardrail
    ADD CONSTRAINT guardrail_pkey PRIMARY KEY (company_id, guardrail_id);

-- Name: guardrail_position guardrail_position_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.guardrail_position
    ADD CONSTRAINT guardrail_position_pkey PRIMARY KEY (company_id);

-- Name: guardrail guardrail_slot_unique; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.guardrail
    ADD CONSTRAINT guardrail_slot_unique UNIQUE (company_id, slot);

-- Name: guardrail_watch guardrail_watch_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.guardrail_watch
    ADD CONSTRAINT guardrail_watch_pkey PRIMARY KEY (company_id, post_id, guardrail_id);

-- Name: idempotency_record idempotency_record_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.idempotency_record
    ADD CONSTRAINT idempotency_record_pkey PRIMARY KEY (scope, key_hash);

-- Name: key_limit key_limit_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.key_limit
    ADD CONSTRAINT key_limit_pkey PRIMARY KEY (company_id, key_id);

-- Name: key_spending key_spending_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.key_spending
    ADD CONSTRAINT key_spending_pkey PRIMARY KEY (company_id, spender, period);

-- Name: lease lease_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (name);

-- Name: participation participation_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.participation
    ADD CONSTRAINT participation_pkey PRIMARY KEY (company_id, campaign_id, participation_id);

-- Name: platform_key platform_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.platform_key
    ADD CONSTRAINT platform_key_pkey PRIMARY KEY (key_id);

-- Name: post_id_key post_id_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.post_id_key
    ADD CONSTRAINT post_id_key_pkey PRIMARY KEY (is_key);

-- Name: question_set question_set_id_unique; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.question_set
    ADD CONSTRAINT question_set_id_unique UNIQUE (company_id, question_id);

-- Name: question_set question_set_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.question_set
    ADD CONSTRAINT question_set_pkey PRIMARY KEY (company_id, campaign_id, version);

-- Name: quota_cell quota_cell_name_unique; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.quota_cell
    ADD CONSTRAINT quota_cell_name_unique UNIQUE (company_id, campaign_id, name);

-- Name: quota_cell quota_cell_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.quota_cell
    ADD CONSTRAINT quota_cell_pkey PRIMARY KEY (company_id, campaign_id, cell);

-- Name: refused_begin refused_begin_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.refused_begin
    ADD CONSTRAINT refused_begin_pkey PRIMARY KEY (company_id, campaign_id, reason, rule);

-- Name: results_link results_link_id_unique; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.results_link
    ADD CONSTRAINT results_link_id_unique UNIQUE (company_id, link_id);

-- Name: results_link results_link_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.results_link
    ADD CONSTRAINT results_link_pkey PRIMARY KEY (company_id, post_id, kind, slot);

-- Name: sealed_key sealed_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.sealed_key
    ADD CONSTRAINT sealed_key_pkey PRIMARY KEY (name);

-- Name: settlement_line settlement_line_once; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement_line
    ADD CONSTRAINT settlement_line_once UNIQUE (company_id, settlement_id, campaign_id);

-- Name: settlement_line settlement_line_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement_line
    ADD CONSTRAINT settlement_line_pkey PRIMARY KEY (company_id, settlement_id, "position");

-- Name: settlement settlement_once; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement
    ADD CONSTRAINT settlement_once UNIQUE (company_id, platform, from_seq);

-- Name: settlement settlement_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement
    ADD CONSTRAINT settlement_pkey PRIMARY KEY (company_id, settlement_id);

-- Name: settlement_position settlement_position_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement_position
    ADD CONSTRAINT settlement_position_pkey PRIMARY KEY (company_id);

-- Name: tabulation tabulation_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tabulation
    ADD CONSTRAINT tabulation_pkey PRIMARY KEY (company_id, campaign_id, number);

-- Name: tally tally_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tally
    ADD CONSTRAINT tally_pkey PRIMARY KEY (company_id, campaign_id, version, cell, kind, item, key);

-- Name: tally_position tally_position_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tally_position
    ADD CONSTRAINT tally_position_pkey PRIMARY KEY (company_id);

-- Name: targeting targeting_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.targeting
    ADD CONSTRAINT targeting_pkey PRIMARY KEY (company_id, campaign_id, version);

-- Name: transfer transfer_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.transfer
    ADD CONSTRAINT transfer_pkey PRIMARY KEY (participation_id, company_id, kind);

-- Name: unnumbered_event unnumbered_event_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.unnumbered_event
    ADD CONSTRAINT unnumbered_event_pkey PRIMARY KEY (company_id, subject, version);

-- Name: webhook_delivery webhook_delivery_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (company_id, webhook_id, seq);

-- Name: webhook_endpoint webhook_endpoint_pkey; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (company_id, webhook_id);

-- Name: webhook_endpoint webhook_endpoint_slot_unique; Type: CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_slot_unique UNIQUE (company_id, slot);

-- Name: api_key_hash_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX api_key_hash_unique ON public.api_key USING btree (key_hash);

-- Name: api_key_list; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX api_key_list ON public.api_key USING btree (company_id, id);

-- Name: approval_decided_at; Type: INDEX; Schema: public; Owner: -

CREATE INDEX approval_decided_at ON public.approval USING btree (decided_at) WHERE (decided_at IS NOT NULL);

-- Name: approval_pending; Type: INDEX; Schema: public; Owner: -

CREATE INDEX approval_pending ON public.approval USING btree (expires_at) WHERE ((state)::text = 'pending'::text);

-- Name: approval_place_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX approval_place_unique ON public.approval USING btree (company_id, place) WHERE ((state)::text = 'pending'::text);

-- Name: approval_request_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX approval_request_unique ON public.approval USING btree (company_id, request_hash) WHERE ((state)::text = 'pending'::text);

-- Name: approval_run_in; Type: INDEX; Schema: public; Owner: -

CREATE INDEX approval_run_in ON public.approval USING btree (company_id, run_in) WHERE (run_in IS NOT NULL);

-- Name: archived_submission_log; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX archived_submission_log ON public.archived_submission USING btree (company_id, seq);

-- Name: campaign_charge_spender; Type: INDEX; Schema: public; Owner: -

CREATE INDEX campaign_charge_spender ON public.campaign_charge USING btree (company_id, spender, day) WHERE (spender IS NOT NULL);

-- Name: campaign_due; Type: INDEX; Schema: public; Owner: -

CREATE INDEX campaign_due ON public.campaign USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Name: campaign_external_ref_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX campaign_external_ref_unique ON public.campaign USING btree (company_id, external_ref) WHERE (external_ref IS NOT NULL);

-- Name: campaign_fielding; Type: INDEX; Schema: public; Owner: -

CREATE INDEX campaign_fielding ON public.campaign USING btree (type, created_at DESC, id DESC) WHERE (is_live AND (substr((company_id)::text, 15, 1) = '7'::text));

-- Name: campaign_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX campaign_list ON public.campaign USING btree (company_id, COALESCE((format)::text, (type)::text), status, created_at DESC, id DESC);

-- Name: campaign_list_by_category; Type: INDEX; Schema: public; Owner: -

CREATE INDEX campaign_list_by_category ON public.campaign USING btree (company_id, (((COALESCE((format)::text, (type)::text) || ':'::text) || (category)::text)), status, created_at DESC, id DESC);

-- Name: company_email_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX company_email_unique ON public.company USING btree (lower((email COLLATE "C")));

-- Name: company_end; Type: INDEX; Schema: public; Owner: -

CREATE INDEX company_end ON public.company USING btree ("right"((company_id)::text, 7));

-- Name: dispute_of_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX dispute_of_company ON public.dispute USING btree (company_id, state, opened_at, participation_id);

-- Name: dispute_of_platform; Type: INDEX; Schema: public; Owner: -

CREATE INDEX dispute_of_platform ON public.dispute USING btree (platform, state, opened_at, participation_id);

-- Name: dispute_open; Type: INDEX; Schema: public; Owner: -

CREATE INDEX dispute_open ON public.dispute USING btree (lapses_at) WHERE ((state)::text = 'open'::text);

-- Name: event_feed; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX event_feed ON public.event USING btree (company_id, seq);

-- Name: guardrail_campaign_slot_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX guardrail_campaign_slot_unique ON public.guardrail USING btree (company_id, COALESCE(post_id, ''::text), campaign_slot);

-- Name: guardrail_name_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX guardrail_name_unique ON public.guardrail USING btree (company_id, COALESCE(post_id, ''::text), name);

-- Name: guardrail_watch_fired_last; Type: INDEX; Schema: public; Owner: -

CREATE INDEX guardrail_watch_fired_last ON public.guardrail_watch USING btree (company_id, guardrail_id, fired_seq);

-- Name: idempotency_record_created_at; Type: INDEX; Schema: public; Owner: -

CREATE INDEX idempotency_record_created_at ON public.idempotency_record USING btree (created_at);

-- Name: key_limit_spender; Type: INDEX; Schema: public; Owner: -

CREATE INDEX key_limit_spender ON public.key_limit USING btree (company_id, spender);

-- Name: participation_by_id; Type: INDEX; Schema: public; Owner: -

CREATE INDEX participation_by_id ON public.participation USING btree (participation_id);

-- Name: participation_open; Type: INDEX; Schema: public; Owner: -

CREATE INDEX participation_open ON public.participation USING btree (expires_at) WHERE ((state)::text = 'open'::text);

-- Name: participation_open_by_campaign; Type: INDEX; Schema: public; Owner: -

CREATE INDEX participation_open_by_campaign ON public.participation USING btree (company_id, campaign_id, expires_at) WHERE ((state)::text = 'open'::text);

-- Name: participation_respondent; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX participation_respondent ON public.participation USING btree (respondent, campaign_id, company_id);

-- Name: participation_responses; Type: INDEX; Schema: public; Owner: -

CREATE INDEX participation_responses ON public.participation USING btree (((campaign_id + 0)), closed_at, participation_id) WHERE ((state)::text = ANY (ARRAY['submitted'::text, 'reversed'::text]));

-- Name: participation_text; Type: INDEX; Schema: public; Owner: -

CREATE INDEX participation_text ON public.participation USING btree (text_hash) WHERE (text_hash IS NOT NULL);

-- Name: platform_key_hash_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX platform_key_hash_unique ON public.platform_key USING btree (key_hash);

-- Name: results_link_list; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX results_link_list ON public.results_link USING btree (company_id, id);

-- Name: results_link_token_unique; Type: INDEX; Schema: public; Owner: -

CREATE UNIQUE INDEX results_link_token_unique ON public.results_link USING btree (token_hash);

-- Name: settlement_by_id; Type: INDEX; Schema: public; Owner: -

CREATE INDEX settlement_by_id ON public.settlement USING btree (settlement_id);

-- Name: settlement_of_company; Type: INDEX; Schema: public; Owner: -

CREATE INDEX settlement_of_company ON public.settlement USING btree (company_id, closed_at, settlement_id);

-- Name: settlement_of_platform; Type: INDEX; Schema: public; Owner: -

CREATE INDEX settlement_of_platform ON public.settlement USING btree (platform, closed_at, settlement_id);

-- Name: settlement_unpaid; Type: INDEX; Schema: public; Owner: -

CREATE INDEX settlement_unpaid ON public.settlement USING btree (platform, closed_at, settlement_id) WHERE (paid_at IS NULL);

-- Name: tabulation_unfinished; Type: INDEX; Schema: public; Owner: -

CREATE INDEX tabulation_unfinished ON public.tabulation USING btree (company_id) WHERE (removed OR (filled_seq < after_seq));

-- Name: transfer_list; Type: INDEX; Schema: public; Owner: -

CREATE INDEX transfer_list ON public.transfer USING btree ((((company_id)::text)::uuid), created_at);

-- Name: transfer_of_campaign; Type: INDEX; Schema: public; Owner: -

CREATE INDEX transfer_of_campaign ON public.transfer USING btree (((campaign_id + 0)), created_at);

-- Name: unnumbered_event_time; Type: INDEX; Schema: public; Owner: -

CREATE INDEX unnumbered_event_time ON public.unnumbered_event USING btree (company_id, created_at);

-- Name: webhook_delivery_delivered; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_delivery_delivered ON public.webhook_delivery USING btree (company_id, webhook_id, seq) WHERE (state = 'delivered'::text);

-- Name: webhook_delivery_failed; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_delivery_failed ON public.webhook_delivery USING btree (company_id, webhook_id, seq) WHERE (state = 'failed'::text);

-- Name: webhook_delivery_finished; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_delivery_finished ON public.webhook_delivery USING btree (finished_at) WHERE (finished_at IS NOT NULL);

-- Name: webhook_delivery_running; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_delivery_running ON public.webhook_delivery USING btree (company_id, webhook_id) WHERE (claimed_at IS NOT NULL);

-- Name: webhook_delivery_unfinished; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_delivery_unfinished ON public.webhook_delivery USING btree (company_id, webhook_id, due_at) WHERE (due_at IS NOT NULL);

-- Name: webhook_endpoint_due; Type: INDEX; Schema: public; Owner: -

CREATE INDEX webhook_endpoint_due ON public.webhook_endpoint USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Name: api_key api_key_advanced; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER api_key_advanced BEFORE UPDATE OF name, scopes, expires_at, revoked_at, overlap_ends_at, replaced_by, spending_limit, spending_per, approval_above ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.advance_api_key();

-- Name: api_key api_key_created; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER api_key_created AFTER INSERT ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.record_api_key_created();

-- Name: api_key api_key_updated; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER api_key_updated AFTER UPDATE ON public.api_key FOR EACH ROW WHEN ((new.version <> old.version)) EXECUTE FUNCTION public.record_api_key_updated();

-- Name: approval approval_permits; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER approval_permits BEFORE INSERT OR UPDATE OF state ON public.approval FOR EACH ROW WHEN (((new.state)::text = 'approved'::text)) EXECUTE FUNCTION public.permit_in_transaction();

-- Name: campaign campaign_advanced; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_advanced BEFORE UPDATE ON public.campaign FOR EACH ROW EXECUTE FUNCTION public.advance_campaign();

-- Name: campaign campaign_created; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_created AFTER INSERT ON public.campaign FOR EACH ROW EXECUTE FUNCTION public.record_campaign_created();

-- Name: campaign campaign_currency_fixed; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_currency_fixed BEFORE UPDATE OF currency ON public.campaign FOR EACH ROW WHEN ((new.currency IS DISTINCT FROM old.currency)) EXECUTE FUNCTION public.refuse_currency_change();

-- Name: campaign campaign_dispute_terms; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_dispute_terms BEFORE UPDATE OF review_days, maximum_dispute_share ON public.campaign FOR EACH ROW EXECUTE FUNCTION public.keep_dispute_terms();

-- Name: campaign_progress campaign_progress_allotment; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_progress_allotment BEFORE UPDATE ON public.campaign_progress FOR EACH ROW WHEN ((new.allotment = old.allotment)) EXECUTE FUNCTION public.mark_allotment();

-- Name: campaign_progress campaign_progress_valid; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_progress_valid BEFORE INSERT OR UPDATE ON public.campaign_progress FOR EACH ROW EXECUTE FUNCTION public.check_campaign_progress();

-- Name: campaign campaign_scheduled; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_scheduled BEFORE INSERT ON public.campaign FOR EACH ROW WHEN (((new.starts_at IS NOT NULL) OR (new.ends_at IS NOT NULL))) EXECUTE FUNCTION public.schedule_campaign();

-- Name: campaign campaign_valid; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER campaign_valid BEFORE INSERT OR UPDATE ON public.campaign FOR EACH ROW EXECUTE FUNCTION public.check_campaign();

-- Name: cell_counts cell_counts_valid; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER cell_counts_valid BEFORE INSERT OR UPDATE ON public.cell_counts FOR EACH ROW EXECUTE FUNCTION public.check_cell_counts();

-- Name: company company_currency_fixed; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER company_currency_fixed BEFORE UPDATE OF currency ON public.company FOR EACH ROW WHEN ((new.currency IS DISTINCT FROM old.currency)) EXECUTE FUNCTION public.refuse_currency_change();

-- Name: event_sequence event_sequence_advanced; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER event_sequence_advanced AFTER UPDATE ON public.event_sequence FOR EACH ROW WHEN ((new.last_seq > old.last_seq)) EXECUTE FUNCTION public.make_webhook_endpoints_due();

-- Name: funding funding_permanent; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER funding_permanent BEFORE DELETE OR UPDATE ON public.funding FOR EACH ROW EXECUTE FUNCTION public.refuse_funding_change();

-- Name: guardrail guardrail_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER guardrail_deleted AFTER DELETE ON public.guardrail FOR EACH ROW EXECUTE FUNCTION public.record_deletion('guardrail_id');

-- Name: participation participation_valid; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER participation_valid BEFORE INSERT OR UPDATE ON public.participation FOR EACH ROW EXECUTE FUNCTION public.check_participation();

-- Name: settlement_line settlement_line_valid; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER settlement_line_valid BEFORE INSERT OR DELETE OR UPDATE ON public.settlement_line FOR EACH ROW EXECUTE FUNCTION public.check_settlement_line();

-- Name: settlement settlement_valid; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER settlement_valid BEFORE INSERT OR DELETE OR UPDATE ON public.settlement FOR EACH ROW EXECUTE FUNCTION public.check_settlement();

-- Name: transfer transfer_permanent; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER transfer_permanent BEFORE DELETE OR UPDATE ON public.transfer FOR EACH ROW EXECUTE FUNCTION public.refuse_transfer_change();

-- Name: webhook_endpoint webhook_endpoint_deleted; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER webhook_endpoint_deleted AFTER DELETE ON public.webhook_endpoint FOR EACH ROW EXECUTE FUNCTION public.record_deletion('webhook_id');

-- Name: webhook_endpoint webhook_endpoint_updated; Type: TRIGGER; Schema: public; Owner: -

CREATE TRIGGER webhook_endpoint_updated AFTER UPDATE ON public.webhook_endpoint FOR EACH ROW WHEN ((new.version <> old.version)) EXECUTE FUNCTION public.record_webhook_endpoint_updated();

-- Name: api_key api_key_company_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_company_fkey FOREIGN KEY (company_id) REFERENCES public.company(company_id) ON DELETE CASCADE;

-- Name: begin_pace begin_pace_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.begin_pace
    ADD CONSTRAINT begin_pace_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: bonus bonus_participation_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.bonus
    ADD CONSTRAINT bonus_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id) REFERENCES public.participation(company_id, campaign_id, participation_id);

-- Name: campaign_charge campaign_charge_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign_charge
    ADD CONSTRAINT campaign_charge_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: campaign_progress campaign_progress_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign_progress
    ADD CONSTRAINT campaign_progress_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: campaign campaign_question_set_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_question_set_fkey FOREIGN KEY (company_id, id, question_set_version) REFERENCES public.question_set(company_id, campaign_id, version) DEFERRABLE INITIALLY DEFERRED;

-- Name: campaign campaign_targeting_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_targeting_fkey FOREIGN KEY (company_id, id, targeting_version) REFERENCES public.targeting(company_id, campaign_id, version) DEFERRABLE INITIALLY DEFERRED;

-- Name: carried_balance carried_balance_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.carried_balance
    ADD CONSTRAINT carried_balance_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: cell_counts cell_counts_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.cell_counts
    ADD CONSTRAINT cell_counts_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: dispute dispute_participation_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.dispute
    ADD CONSTRAINT dispute_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id) REFERENCES public.participation(company_id, campaign_id, participation_id);

-- Name: funding funding_balance_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.funding
    ADD CONSTRAINT funding_balance_fkey FOREIGN KEY (company_id) REFERENCES public.balance(company_id);

-- Name: participation participation_campaign_progress_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.participation
    ADD CONSTRAINT participation_campaign_progress_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign_progress(company_id, campaign_id);

-- Name: participation participation_question_set_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.participation
    ADD CONSTRAINT participation_question_set_fkey FOREIGN KEY (company_id, campaign_id, question_set_version) REFERENCES public.question_set(company_id, campaign_id, version);

-- Name: question_set question_set_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.question_set
    ADD CONSTRAINT question_set_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: quota_cell quota_cell_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.quota_cell
    ADD CONSTRAINT quota_cell_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: refused_begin refused_begin_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.refused_begin
    ADD CONSTRAINT refused_begin_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: settlement_line settlement_line_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement_line
    ADD CONSTRAINT settlement_line_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: settlement_line settlement_line_settlement_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.settlement_line
    ADD CONSTRAINT settlement_line_settlement_fkey FOREIGN KEY (company_id, settlement_id) REFERENCES public.settlement(company_id, settlement_id);

-- Name: tally tally_campaign_progress_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.tally
    ADD CONSTRAINT tally_campaign_progress_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign_progress(company_id, campaign_id);

-- Name: targeting targeting_campaign_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.targeting
    ADD CONSTRAINT targeting_campaign_fkey FOREIGN KEY (company_id, campaign_id) REFERENCES public.campaign(company_id, id);

-- Name: transfer transfer_participation_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -

ALTER TABLE ONLY public.transfer
    ADD CONSTRAINT transfer_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id) REFERENCES public.participation(company_id, campaign_id, participation_id);

-- PostgreSQL database dump complete
