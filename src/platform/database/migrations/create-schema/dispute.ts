/**
 * The disputes about responses: one for each participation at most. The platform decides one while
 * it is open; once its time is over by the clock, it is declined, stored so or not yet.
 */
export const dispute = [
  `CREATE TABLE dispute (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    participation_id uuid NOT NULL,
    -- Who decides: the participation's own.
    platform text NOT NULL,
    state dispute_state NOT NULL DEFAULT 'open',
    reason text NOT NULL,
    -- What the platform says to its decision; null for nothing.
    note text,
    opened_at timestamptz(3) NOT NULL,
    -- When it is declined by itself.
    lapses_at timestamptz(3) NOT NULL,
    decided_at timestamptz(3),
    CONSTRAINT dispute_pkey PRIMARY KEY (company_id, participation_id),
    CONSTRAINT dispute_participation_fkey FOREIGN KEY (company_id, campaign_id, participation_id)
      REFERENCES participation (company_id, campaign_id, participation_id),
    CONSTRAINT dispute_texts CHECK (
      char_length(reason) BETWEEN 1 AND 500 AND char_length(note) BETWEEN 1 AND 500
    ),
    CONSTRAINT dispute_decided CHECK ((state = 'open') = (decided_at IS NULL)),
    CONSTRAINT dispute_times CHECK (lapses_at > opened_at AND decided_at >= opened_at)
  )`,
  `COMMENT ON TABLE dispute IS 'distributed by company_id'`,
  // A page of a list is read from one of these, state by state.
  `CREATE INDEX dispute_of_company ON dispute (company_id, state, opened_at, participation_id)`,
  `CREATE INDEX dispute_of_platform ON dispute (platform, state, opened_at, participation_id)`,
  `CREATE INDEX dispute_open ON dispute (lapses_at) WHERE state = 'open'`,
];
