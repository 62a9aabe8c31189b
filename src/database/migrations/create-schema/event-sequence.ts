/** The number of each company's last numbered event. Locking the row is the right to number. */
export const eventSequence = [
  `CREATE TABLE event_sequence (
    company_id text CONSTRAINT event_sequence_pkey PRIMARY KEY,
    last_seq bigint NOT NULL
  )`,
  `COMMENT ON TABLE event_sequence IS 'distributed by company_id'`,
];
