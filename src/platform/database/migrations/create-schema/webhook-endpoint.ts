/**
 * An endpoint that receives a company's events. It is a reader of the log: `claimed_seq` is how far
 * it has read.
 */
export const webhookEndpoint = [
  `CREATE TABLE webhook_endpoint (
    company_id uuid NOT NULL,
    webhook_id text NOT NULL,
    -- One of the company's places for endpoints, so that the number of endpoints is a rule of one
    -- row.
    slot smallint NOT NULL,
    url text NOT NULL,
    -- Whether the key that set the URL may read responses: messages show what that scope guards.
    reads_responses boolean NOT NULL DEFAULT false,
    -- Null for every type.
    event_types text[],
    description text,
    -- The company's, which the messages state.
    currency text NOT NULL DEFAULT 'USD',
    enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_ends_at timestamptz(3),
    claimed_seq bigint NOT NULL,
    -- Events that were archived while it was disabled, before it had read them.
    missed_from_seq bigint,
    missed_to_seq bigint,
    -- When a dispatcher must look at the endpoint; null if only a new event gives it work.
    due_at timestamptz(3) DEFAULT now(),
    failing_since timestamptz(3),
    -- How often the owner has tested the endpoint.
    tests integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    updated_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (company_id, webhook_id),
    CONSTRAINT webhook_endpoint_slot_unique UNIQUE (company_id, slot),
    CONSTRAINT webhook_endpoint_maximum CHECK (slot BETWEEN 1 AND 20),
    CONSTRAINT webhook_endpoint_url_length CHECK (char_length(url) BETWEEN 1 AND 2048),
    CONSTRAINT webhook_endpoint_description_length
      CHECK (char_length(description) BETWEEN 1 AND 200),
    CONSTRAINT webhook_endpoint_missed CHECK (
      CASE WHEN missed_to_seq IS NULL THEN missed_from_seq IS NULL
        ELSE missed_from_seq IS NOT NULL AND missed_from_seq <= missed_to_seq
          AND missed_to_seq <= claimed_seq
      END
    ),
    CONSTRAINT webhook_endpoint_event_types_present CHECK (cardinality(event_types) > 0),
    CONSTRAINT webhook_endpoint_disabled_reason CHECK (
      CASE WHEN enabled THEN disabled_reason IS NULL
        ELSE disabled_reason IS NOT NULL AND disabled_reason IN ('owner', 'gone', 'failing')
      END
    )
  )`,
  `COMMENT ON TABLE webhook_endpoint IS 'distributed by company_id'`,
  `CREATE INDEX webhook_endpoint_due ON webhook_endpoint (due_at) WHERE due_at IS NOT NULL`,
];
