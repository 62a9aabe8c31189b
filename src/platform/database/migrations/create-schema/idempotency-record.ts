/** The outcome of a request that carried an `Idempotency-Key`, kept for 24 hours. */
export const idempotencyRecord = [
  `CREATE TABLE idempotency_record (
    scope uuid NOT NULL,
    key_hash bytea NOT NULL,
    fingerprint bytea NOT NULL,
    outcome bytea NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT idempotency_record_pkey PRIMARY KEY (scope, key_hash)
  )`,
  // The scope of an authenticated request is its company, so the record and the work share a shard.
  `COMMENT ON TABLE idempotency_record IS 'distributed by scope'`,
  `CREATE INDEX idempotency_record_created_at ON idempotency_record (created_at)`,
];
