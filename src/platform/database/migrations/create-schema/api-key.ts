/** An API key; the secret itself is never stored. */
export const apiKey = [
  `CREATE TABLE api_key (
    key_id text CONSTRAINT api_key_pkey PRIMARY KEY,
    -- The order of creation, whatever the clocks of the instances show.
    id bigint GENERATED ALWAYS AS IDENTITY,
    company_id uuid NOT NULL,
    mode text NOT NULL DEFAULT 'live',
    key_hash bytea NOT NULL,
    prefix text NOT NULL,
    name text,
    scopes text[] NOT NULL,
    expires_at timestamptz(3),
    -- A key with this is refused, whatever the clock shows.
    revoked_at timestamptz(3),
    -- A rotated key is refused from then on.
    overlap_ends_at timestamptz(3),
    -- The key_id that a rotation gave.
    replaced_by text,
    last_used_at timestamptz(3),
    -- The most that it may commit in a period, and whose commitments count: the first key of its
    -- rotations, once one of them has had a limit.
    spending_limit numeric(12, 2),
    spending_per text,
    spender uuid,
    -- What a campaign may cost that it starts or enlarges without an approval.
    approval_above numeric(12, 2),
    version integer NOT NULL DEFAULT 1,
    updated_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT api_key_company_fkey
      FOREIGN KEY (company_id) REFERENCES company (company_id) ON DELETE CASCADE,
    CONSTRAINT api_key_mode_known CHECK (mode IN ('live', 'test')),
    CONSTRAINT api_key_scopes_known CHECK (
      scopes <@ ARRAY['campaigns:read', 'campaigns:write', 'events:read',
      'webhooks:read', 'webhooks:write', 'responses:read', 'ledger:read']
      AND cardinality(scopes) > 0
    ),
    CONSTRAINT api_key_spending_limit CHECK (
      num_nulls(spending_limit, spending_per) IN (0, 2) AND spending_limit >= 0
    ),
    CONSTRAINT api_key_spending_per CHECK (spending_per IN ('day', 'month', 'total')),
    CONSTRAINT api_key_approval_above CHECK (approval_above >= 0),
    CONSTRAINT api_key_spender CHECK (
      spender IS NOT NULL OR num_nonnulls(spending_limit, approval_above) = 0
    )
  )`,
  // A key is looked up by its hash, before its company is known.
  `COMMENT ON TABLE api_key IS 'local'`,
  `CREATE UNIQUE INDEX api_key_hash_unique ON api_key (key_hash)`,
  `CREATE UNIQUE INDEX api_key_list ON api_key (company_id, id)`,
];
