/**
 * The delivery of an event to an endpoint, from its first attempt on. It has no foreign key: the
 * deliveries of a deleted endpoint are removed after it, in parts.
 */
export const webhookDelivery = [
  `CREATE TABLE webhook_delivery (
    company_id uuid NOT NULL,
    webhook_id text NOT NULL,
    seq bigint NOT NULL,
    state text NOT NULL,
    -- The next attempt, or the end of the lease of the running one; null once it is finished.
    due_at timestamptz(3),
    -- The start of the running attempt; null if none is running.
    claimed_at timestamptz(3),
    -- Which claim is the valid one. Only its holder may write a result.
    claim integer NOT NULL DEFAULT 1,
    -- Failed attempts since the delivery began, or was replayed.
    failures integer NOT NULL DEFAULT 0,
    attempts jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (company_id, webhook_id, seq),
    CONSTRAINT webhook_delivery_state CHECK (
      CASE state
        WHEN 'pending' THEN due_at IS NOT NULL AND finished_at IS NULL
        WHEN 'delivered' THEN due_at IS NULL AND claimed_at IS NULL AND finished_at IS NOT NULL
        WHEN 'failed' THEN due_at IS NULL AND claimed_at IS NULL AND finished_at IS NOT NULL
        ELSE false
      END
    )
  )`,
  `COMMENT ON TABLE webhook_delivery IS 'distributed by company_id'`,
  `CREATE INDEX webhook_delivery_unfinished
    ON webhook_delivery (company_id, webhook_id, due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_delivery_running
    ON webhook_delivery (company_id, webhook_id) WHERE claimed_at IS NOT NULL`,
  `CREATE INDEX webhook_delivery_failed
    ON webhook_delivery (company_id, webhook_id, seq) WHERE state = 'failed'`,
  `CREATE INDEX webhook_delivery_delivered
    ON webhook_delivery (company_id, webhook_id, seq) WHERE state = 'delivered'`,
  `CREATE INDEX webhook_delivery_finished
    ON webhook_delivery (finished_at) WHERE finished_at IS NOT NULL`,
];
