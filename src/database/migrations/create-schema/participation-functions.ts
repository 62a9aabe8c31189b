import { readExhaustedBy, rewardsOf } from './campaign-progress';

/** Minutes that a respondent has, unless the campaign says otherwise. */
const ANSWER_MINUTES = 60;

/** Expired participations that one statement closes. */
const BATCH = 500;

const REWARDS_OF_CAMPAIGN = rewardsOf('c');

/** Refuses with the name of a constraint, as a check of a row would. */
const refuse = (constraint: string, why: string) =>
  `RAISE EXCEPTION '${why} violates constraint "${constraint}"'
    USING ERRCODE = 'check_violation', CONSTRAINT = '${constraint}'`;

const transfer = (kind: string, debit: string, credit: string, amount: string) => `
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, debit, credit, amount)
  VALUES (company, campaign_of, participation, '${kind}', '${debit}', '${credit}', ${amount})`;

/** The time as it is stored: never later than the clock. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** Locks a participation before its campaign, and reads it. */
const LOCK_PARTICIPATION = `
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE`;

/** Locks a campaign before its counters, in the order of every change of it, and reads it. */
const LOCK_CAMPAIGN = `
  SELECT * INTO c FROM campaign AS o
  WHERE o.company_id = company AND o.id = campaign_of
  FOR NO KEY UPDATE`;

/** Completes a campaign whose last place or money was used, or says that some is left again. */
const SETTLE_LIMITS = `
  IF c.max_responses IS NOT NULL OR c.budget IS NOT NULL THEN
    exhausted_before := c.exhausted_by;
    ${readExhaustedBy('c')}
    IF c.exhausted_by IS DISTINCT FROM exhausted_before THEN
      UPDATE campaign AS o SET exhausted_by = c.exhausted_by, updated_by = 'service'
      WHERE o.company_id = company AND o.id = campaign_of;
    END IF;
  END IF`;

/** The counters after a response, as its event has them. */
const COUNTERS = `'answered', progress.answered, 'spent', progress.spent, 'held', progress.held`;

/**
 * The steps of a participation. Each changes it with its transfers, the campaign's counters and the
 * log, or nothing. They lock the participation first, if there is one, then the campaign, then its
 * counters; an update of the campaign locks these two in the same order.
 */
export const participationFunctions = [
  // Gives back the places and the money of open participations. The caller has locked them.
  `CREATE FUNCTION release_participations(
    company text, campaign_of bigint, released text[], outcome text, moment timestamptz
  ) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    c campaign%ROWTYPE;
    exhausted_before text;
    total numeric;
  BEGIN
    ${LOCK_CAMPAIGN};
    UPDATE participation AS p SET state = outcome, closed_at = moment
    WHERE p.company_id = company AND p.campaign_id = campaign_of AND p.participation_id = ANY (released);
    INSERT INTO transfer (company_id, campaign_id, participation_id, kind, debit, credit, amount)
    SELECT p.company_id, p.campaign_id, p.participation_id, 'release', 'held', 'company', p.held
    FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id = campaign_of AND p.participation_id = ANY (released);
    SELECT sum(p.held) INTO total FROM participation AS p
    WHERE p.company_id = company AND p.campaign_id = campaign_of AND p.participation_id = ANY (released);
    UPDATE campaign_progress AS g
    SET taken = g.taken - cardinality(released), held = g.held - total
    WHERE g.company_id = company AND g.campaign_id = campaign_of;
    ${SETTLE_LIMITS};
  END $$`,

  // Expires what is over its time in a campaign, and returns how much that was. What another
  // transaction has locked is being submitted, abandoned or expired there.
  `CREATE FUNCTION expire_participations(company text, campaign_of bigint)
  RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    moment timestamptz(3) := ${NOW};
    expired text[];
  BEGIN
    SELECT array_agg(o.participation_id) INTO expired FROM (
      SELECT p.participation_id FROM participation AS p
      WHERE p.company_id = company AND p.campaign_id = campaign_of AND p.state = 'open'
        AND p.expires_at <= moment
      ORDER BY p.expires_at LIMIT ${BATCH}
      FOR NO KEY UPDATE SKIP LOCKED
    ) AS o;
    IF expired IS NULL THEN
      RETURN 0;
    END IF;
    PERFORM release_participations(company, campaign_of, expired, 'expired', moment);
    RETURN cardinality(expired);
  END $$`,

  // Takes a place in a live campaign, unless the respondent has one, and returns the participation_id.
  // It returns null if the campaign is not stored as its times say; the caller stores that first.
  //
  // Whoever begins waits for the campaign's lock first, so nobody begins after a stop, and a respondent
  // who begins twice at once finds the first participation.
  `CREATE FUNCTION begin_participation(
    company text, campaign_of bigint, participation text, agent text, who bytea
  ) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    c campaign%ROWTYPE;
    moment timestamptz(3);
    largest numeric(12, 2);
    existing text;
    full_up boolean;
  BEGIN
    ${LOCK_CAMPAIGN};
    SELECT p.participation_id INTO existing FROM participation AS p
    WHERE p.respondent = who AND p.company_id = company AND p.campaign_id = campaign_of;
    IF FOUND THEN
      RETURN existing;
    END IF;
    moment := ${NOW};
    IF c.due_at <= moment THEN
      RETURN NULL;
    END IF;
    IF NOT c.is_live THEN
      IF NOT c.archived
        AND (c.exhausted_by IS NOT NULL OR (c.ends_at IS NOT NULL AND c.due_at IS NULL))
      THEN
        ${refuse('participation_campaign_open', 'a completed campaign')};
      END IF;
      ${refuse('participation_campaign_live', 'a stopped campaign')};
    END IF;
    largest := greatest(${REWARDS_OF_CAMPAIGN});
    SELECT g.taken >= g.max_responses OR g.held + g.spent + largest > g.budget INTO full_up
    FROM campaign_progress AS g
    WHERE g.company_id = company AND g.campaign_id = campaign_of;
    IF NOT FOUND THEN
      INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget)
      VALUES (company, campaign_of, c.max_responses, c.budget);
    ELSIF full_up THEN
      PERFORM expire_participations(company, campaign_of);
    END IF;
    UPDATE campaign_progress AS g SET taken = g.taken + 1, held = g.held + largest
    WHERE g.company_id = company AND g.campaign_id = campaign_of
      AND (g.taken < g.max_responses) IS NOT FALSE
      AND (g.held + g.spent + largest <= g.budget) IS NOT FALSE;
    IF NOT FOUND THEN
      ${refuse('participation_place_left', 'a respondent without a place')};
    END IF;
    INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
      question_set_version, rewards, held, begun_at, expires_at)
    VALUES (company, campaign_of, participation, agent, who, c.question_set_version,
      ARRAY[${REWARDS_OF_CAMPAIGN}], largest, moment,
      moment + coalesce(c.answer_minutes, ${ANSWER_MINUTES}) * interval '1 minute');
    ${transfer('hold', 'company', 'held', 'largest')};
    RETURN participation;
  END $$`,

  // Pays for a submission, by the cohort of its score, and frees the rest of what was held. It changes
  // nothing if the participation is not open any more. It returns the participation as it then is.
  `CREATE FUNCTION submit_participation(
    company text, campaign_of bigint, participation text, score numeric, attention_cohort integer,
    content bytea, answers jsonb, caller text
  ) RETURNS participation LANGUAGE plpgsql AS $$
  DECLARE
    part participation%ROWTYPE;
    c campaign%ROWTYPE;
    progress campaign_progress%ROWTYPE;
    exhausted_before text;
    moment timestamptz(3);
    earned numeric(12, 2);
  BEGIN
    ${LOCK_PARTICIPATION};
    moment := ${NOW};
    IF part.participation_id IS NULL OR part.state <> 'open' OR part.expires_at <= moment THEN
      RETURN part;
    END IF;
    earned := part.rewards[attention_cohort];
    ${LOCK_CAMPAIGN};
    UPDATE participation AS o SET state = 'submitted', closed_at = moment, attention_score = score,
      cohort = attention_cohort, reward = earned, submission = content
    WHERE o.company_id = company AND o.campaign_id = campaign_of
      AND o.participation_id = participation
    RETURNING o.* INTO part;
    INSERT INTO response (company_id, campaign_id, participation_id, answers, size)
    VALUES (company, campaign_of, participation, answers, octet_length(answers::text));
    IF earned > 0 THEN
      ${transfer('settle', 'held', 'respondents', 'earned')};
    END IF;
    IF part.held > earned THEN
      ${transfer('release', 'held', 'company', 'part.held - earned')};
    END IF;
    UPDATE campaign_progress AS g
    SET answered = g.answered + 1, held = g.held - part.held, spent = g.spent + earned
    WHERE g.company_id = company AND g.campaign_id = campaign_of
    RETURNING * INTO progress;
    INSERT INTO event (company_id, subject, version, type, actor, changes, created_at)
    VALUES (company, participation, 1, 'response.submitted', caller,
      jsonb_build_object('post_id', c.post_id, 'cohort', attention_cohort, 'reward', earned,
        ${COUNTERS}),
      moment);
    ${SETTLE_LIMITS};
    RETURN part;
  END $$`,

  // Gives up a place. It changes nothing if the participation is not open any more; one whose time is
  // over is expired. It returns the participation as it then is.
  `CREATE FUNCTION abandon_participation(company text, campaign_of bigint, participation text)
  RETURNS participation LANGUAGE plpgsql AS $$
  DECLARE
    part participation%ROWTYPE;
    moment timestamptz(3);
  BEGIN
    ${LOCK_PARTICIPATION};
    IF part.state = 'open' THEN
      moment := ${NOW};
      PERFORM release_participations(company, campaign_of, ARRAY[participation],
        CASE WHEN part.expires_at <= moment THEN 'expired' ELSE 'abandoned' END, moment);
      ${LOCK_PARTICIPATION};
    END IF;
    RETURN part;
  END $$`,

  // Takes a reward back. It changes nothing unless the participation is submitted. It returns the
  // participation as it then is.
  `CREATE FUNCTION reverse_participation(
    company text, campaign_of bigint, participation text, why text, caller text
  ) RETURNS participation LANGUAGE plpgsql AS $$
  DECLARE
    part participation%ROWTYPE;
    c campaign%ROWTYPE;
    progress campaign_progress%ROWTYPE;
    exhausted_before text;
    moment timestamptz(3);
  BEGIN
    ${LOCK_PARTICIPATION};
    IF (part.state = 'submitted') IS NOT TRUE THEN
      RETURN part;
    END IF;
    moment := ${NOW};
    ${LOCK_CAMPAIGN};
    UPDATE participation AS o SET state = 'reversed', reversed_at = moment, reversal_reason = why
    WHERE o.company_id = company AND o.campaign_id = campaign_of
      AND o.participation_id = participation
    RETURNING o.* INTO part;
    IF part.reward > 0 THEN
      ${transfer('reverse', 'respondents', 'company', 'part.reward')};
    END IF;
    UPDATE campaign_progress AS g SET spent = g.spent - part.reward
    WHERE g.company_id = company AND g.campaign_id = campaign_of
    RETURNING * INTO progress;
    INSERT INTO event (company_id, subject, version, type, actor, changes, created_at)
    VALUES (company, participation, 2, 'response.reversed', caller,
      jsonb_build_object('post_id', c.post_id, 'cohort', part.cohort, 'reward', part.reward,
        'reason', why, ${COUNTERS}),
      moment);
    ${SETTLE_LIMITS};
    RETURN part;
  END $$`,
];
