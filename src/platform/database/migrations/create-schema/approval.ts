/**
 * Requests of API keys that commit more than the key may without its account. An approved one is
 * carried out in the transaction that approves it.
 */
export const approval = [
  `CREATE TABLE approval (
    company_id uuid NOT NULL,
    approval_id uuid NOT NULL,
    -- While it waits, its place among those of the company that wait.
    place smallint,
    key_id uuid NOT NULL,
    operation text NOT NULL,
    -- The body of the request, as JSON.
    body text NOT NULL,
    -- SHA-256 of what makes another request the same one.
    request_hash bytea NOT NULL,
    -- The campaign that it changes, and its version; null for one that it creates.
    campaign_id bigint,
    version integer,
    -- The most that the campaign can cost then, and by how much this grows; null if nothing limits it,
    -- or has limited it before.
    currency text NOT NULL,
    commits numeric(20, 2),
    adds numeric(20, 2),
    state approval_state NOT NULL DEFAULT 'pending',
    -- Why it was refused; null for nothing.
    reason text,
    requested_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    decided_at timestamptz(3),
    -- While it is carried out, the transaction in which alone it permits anything. A trigger sets it.
    run_in xid8,
    CONSTRAINT approval_pkey PRIMARY KEY (company_id, approval_id),
    CONSTRAINT approval_place CHECK (place BETWEEN 1 AND 50 AND (place IS NULL) = (state <> 'pending')),
    CONSTRAINT approval_reason CHECK (
      char_length(reason) BETWEEN 1 AND 500 AND (reason IS NULL OR state = 'refused')
    ),
    CONSTRAINT approval_decided CHECK ((state = 'pending') = (decided_at IS NULL)),
    CONSTRAINT approval_run CHECK (run_in IS NULL OR state = 'approved'),
    CONSTRAINT approval_commits CHECK (
      commits > 0 AND adds > 0 AND (commits IS NOT NULL OR adds IS NULL)
    )
  )`,
  `COMMENT ON TABLE approval IS 'distributed by company_id'`,
  `CREATE UNIQUE INDEX approval_place_unique ON approval (company_id, place)
    WHERE state = 'pending'`,
  `CREATE UNIQUE INDEX approval_request_unique ON approval (company_id, request_hash)
    WHERE state = 'pending'`,
  `CREATE INDEX approval_run_in ON approval (company_id, run_in) WHERE run_in IS NOT NULL`,
  `CREATE INDEX approval_pending ON approval (expires_at) WHERE state = 'pending'`,
  `CREATE INDEX approval_decided_at ON approval (decided_at) WHERE decided_at IS NOT NULL`,
];
