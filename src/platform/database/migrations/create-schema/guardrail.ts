/**
 * Rules that stop or report campaigns, what they remember, and how far they have read the log. A
 * company without guardrails has no row here. Each change of a company's guardrails changes the
 * `revision` of its position, so that nothing computed for the guardrails before it is stored.
 */
export const guardrail = [
  `CREATE TABLE guardrail_position (
    company_id uuid CONSTRAINT guardrail_position_pkey PRIMARY KEY,
    seq bigint NOT NULL,
    revision uuid NOT NULL
  )`,
  `COMMENT ON TABLE guardrail_position IS 'distributed by company_id'`,
  `CREATE TABLE guardrail (
    company_id uuid NOT NULL,
    guardrail_id text NOT NULL,
    -- One of the company's places for guardrails, so that their number is a rule of one row.
    slot smallint NOT NULL,
    -- Null for all campaigns.
    post_id text,
    -- One of the campaign's places, or of the places of those that watch all campaigns.
    campaign_slot smallint NOT NULL,
    name text NOT NULL,
    conditions jsonb NOT NULL,
    action text NOT NULL,
    -- It watches what comes after this event, and stays fired where it fired after armed_seq.
    since_seq bigint NOT NULL,
    armed_seq bigint NOT NULL,
    firings integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT guardrail_pkey PRIMARY KEY (company_id, guardrail_id),
    CONSTRAINT guardrail_slot_unique UNIQUE (company_id, slot),
    CONSTRAINT guardrail_maximum CHECK (slot BETWEEN 1 AND 50),
    CONSTRAINT guardrail_campaign_maximum CHECK (campaign_slot BETWEEN 1 AND 10),
    CONSTRAINT guardrail_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT guardrail_conditions CHECK (jsonb_array_length(conditions) BETWEEN 1 AND 5),
    CONSTRAINT guardrail_action CHECK (action IN ('stop', 'complete', 'notify')),
    CONSTRAINT guardrail_complete CHECK (
      action <> 'complete' OR conditions @> '[{"metric": "interval_width"}]'
    )
  )`,
  `COMMENT ON TABLE guardrail IS 'distributed by company_id'`,
  `CREATE UNIQUE INDEX guardrail_campaign_slot_unique
    ON guardrail (company_id, coalesce(post_id, ''), campaign_slot)`,
  `CREATE UNIQUE INDEX guardrail_name_unique
    ON guardrail (company_id, coalesce(post_id, ''), name)`,
  `CREATE TABLE guardrail_watch (
    company_id uuid NOT NULL,
    guardrail_id text NOT NULL,
    post_id text NOT NULL,
    since_seq bigint NOT NULL,
    -- Null before the first response, and once it has fired.
    state jsonb,
    fired_seq bigint,
    fired_at timestamptz(3),
    fired_values jsonb,
    fired_stopped boolean,
    CONSTRAINT guardrail_watch_pkey PRIMARY KEY (company_id, post_id, guardrail_id),
    CONSTRAINT guardrail_watch_fired CHECK (
      num_nonnulls(fired_seq, fired_at, fired_values, fired_stopped) IN (0, 4)
    )
  )`,
  `COMMENT ON TABLE guardrail_watch IS 'distributed by company_id'`,
  // Where a guardrail fired last, and what is removed after it is deleted.
  `CREATE INDEX guardrail_watch_fired_last
    ON guardrail_watch (company_id, guardrail_id, fired_seq)`,
];
