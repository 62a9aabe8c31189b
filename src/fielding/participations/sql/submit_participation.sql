-- Pays for a submission, by the cohort of its score, and frees the rest of what was held. It changes
-- nothing if the participation is not open any more. It returns the participation as it then is, but
-- without the answers, and what this call made of it: null if nothing.
--
-- The signals of quality that the answers alone decide are given: longest_run, compared_answers,
-- consistency and their flags; the others need what was submitted before. quality.rules.ts has them.
CREATE OR REPLACE FUNCTION submit_participation(
  company uuid, campaign_of bigint, participation uuid, score numeric, attention_cohort integer,
  content bytea, given text, caller text, run smallint, compared smallint, agreement real,
  hash bigint, flags integer, OUT part participation, OUT became text
) LANGUAGE plpgsql
-- A plan that was made while a table was small must not scan it when it has grown.
SET enable_seqscan = off AS $$
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
