/**
 * The numbers of each company's first and last numbered event. Locking the row is the right to
 * number. Events before `first_seq` are in an archive.
 */
export const eventSequence = [
  `CREATE TABLE event_sequence (
    company_id uuid CONSTRAINT event_sequence_pkey PRIMARY KEY,
    last_seq bigint NOT NULL,
    first_seq bigint NOT NULL DEFAULT 1,
    CONSTRAINT event_sequence_order CHECK (first_seq BETWEEN 1 AND last_seq + 1)
  )`,
  `COMMENT ON TABLE event_sequence IS 'distributed by company_id'`,
];
