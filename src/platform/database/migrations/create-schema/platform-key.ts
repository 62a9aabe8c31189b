/** The key of a platform that shows campaigns to people; the secret itself is never stored. */
export const platformKey = [
  `CREATE TABLE platform_key (
    key_id text CONSTRAINT platform_key_pkey PRIMARY KEY,
    key_hash bytea NOT NULL,
    prefix text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT platform_key_name_length CHECK (char_length(name) BETWEEN 1 AND 100),
    CONSTRAINT platform_key_scopes_known CHECK (
      scopes <@ ARRAY['fielding:read', 'fielding:write', 'settlements:read']
        AND cardinality(scopes) > 0
    )
  )`,
  // A platform has no company.
  `COMMENT ON TABLE platform_key IS 'local'`,
  `CREATE UNIQUE INDEX platform_key_hash_unique ON platform_key (key_hash)`,
];
