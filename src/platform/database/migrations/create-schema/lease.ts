/**
 * Which process does the background work that one does for all, until when, and what its jobs keep
 * for the process after it.
 */
export const lease = [
  `CREATE TABLE lease (
    name text CONSTRAINT lease_pkey PRIMARY KEY,
    holder uuid NOT NULL,
    held_until timestamptz(3) NOT NULL,
    kept jsonb NOT NULL DEFAULT '{}'
  )`,
  `COMMENT ON TABLE lease IS 'local'`,
];
