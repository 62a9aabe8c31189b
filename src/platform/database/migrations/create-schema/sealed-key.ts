/**
 * Keys that must stay the same for as long as the data that they hash or sign, encrypted with
 * `ENCRYPTION_KEY`, which may change.
 */
export const sealedKey = [
  `CREATE TABLE sealed_key (
    name text CONSTRAINT sealed_key_pkey PRIMARY KEY,
    sealed bytea NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `COMMENT ON TABLE sealed_key IS 'local'`,
];
