const COLUMNS = `
    company_id uuid NOT NULL,
    -- The identifier of what changed; the type says of which kind that is.
    subject uuid NOT NULL,
    version integer NOT NULL,
    type event_type NOT NULL,
    actor text NOT NULL,
    changes jsonb NOT NULL,
    -- Never before the subject's earlier events, even if the clock was set back. Events of one
    -- campaign and of its responses have times of their own, in the order of its lock.
    created_at timestamptz NOT NULL`;

/**
 * The log: every change of a campaign, a response, an API key or a webhook. Whatever makes the
 * change writes its event to `unnumbered_event`, in the same transaction. The sequencer moves it
 * to `event`, where its row never changes. Histories read both tables, the event feed only the
 * latter.
 */
export const event = [
  `CREATE TABLE event (${COLUMNS},
    seq bigint NOT NULL,
    CONSTRAINT event_pkey PRIMARY KEY (company_id, subject, version)
  )`,
  `COMMENT ON TABLE event IS 'distributed by company_id'`,
  `CREATE UNIQUE INDEX event_feed ON event (company_id, seq)`,
  `CREATE TABLE unnumbered_event (${COLUMNS},
    CONSTRAINT unnumbered_event_pkey PRIMARY KEY (company_id, subject, version)
  )`,
  `COMMENT ON TABLE unnumbered_event IS 'distributed by company_id'`,
  `CREATE INDEX unnumbered_event_time ON unnumbered_event (company_id, created_at)`,
];
