/**
 * The log: every change of a campaign or an API key, written by triggers in the transaction of the
 * change. Histories and the event feed read it.
 *
 * `seq` is null until the sequencer numbers the row; nothing else of a row ever changes. The
 * indexes on it are partial, so that an insert fills one of them only.
 */
export const event = [
  `CREATE TABLE event (
    company_id uuid NOT NULL,
    -- The identifier of what changed; the type says of which kind that is.
    subject uuid NOT NULL,
    version integer NOT NULL,
    type event_type NOT NULL,
    seq bigint,
    actor text NOT NULL,
    changes jsonb NOT NULL,
    -- Never before the subject's earlier events, even if the clock was set back. Events of one
    -- campaign and of its responses have times of their own, in the order of its lock.
    created_at timestamptz NOT NULL,
    CONSTRAINT event_pkey PRIMARY KEY (company_id, subject, version)
  )`,
  `COMMENT ON TABLE event IS 'distributed by company_id'`,
  `CREATE UNIQUE INDEX event_feed ON event (company_id, seq) WHERE seq IS NOT NULL`,
  `CREATE INDEX event_unsequenced ON event (company_id, created_at) WHERE seq IS NULL`,
];
