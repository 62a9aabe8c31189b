/**
 * Whom a campaign asks. A set of rules is never changed: replacing it stores another one, with the
 * numbers of the cells that its quotas have, in their order.
 *
 * A participation keeps the numbers of its cells while it counts in them, and after a reversal. A
 * cell whose quota was removed keeps its row, without a maximum, until nobody counts in it. Only
 * then is its number free, unless it is kept.
 */
export const targeting = [
  `CREATE TABLE targeting (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    version integer NOT NULL,
    -- The attributes, the screening with its questions, and the quotas, as the company described them.
    content jsonb NOT NULL,
    cells smallint[] NOT NULL,
    -- What a respondent must have done, with the campaigns' id; null if it does not matter.
    audience jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT targeting_pkey PRIMARY KEY (company_id, campaign_id, version),
    CONSTRAINT targeting_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT targeting_content CHECK (
      jsonb_typeof(content) = 'object' AND jsonb_array_length(content -> 'attributes') <= 20
      AND jsonb_array_length(content -> 'quotas') <= 200
      AND octet_length(content::text) <= 262144
    ),
    CONSTRAINT targeting_audience CHECK (jsonb_typeof(audience) = 'object'),
    CONSTRAINT targeting_cells CHECK (
      cardinality(cells) = jsonb_array_length(content -> 'quotas')
    )
  )`,
  `COMMENT ON TABLE targeting IS 'distributed by company_id'`,
  // Deferred, because the function that stores a set updates the campaign first.
  `ALTER TABLE campaign ADD CONSTRAINT campaign_targeting_fkey
    FOREIGN KEY (company_id, id, targeting_version)
    REFERENCES targeting (company_id, campaign_id, version)
    DEFERRABLE INITIALLY DEFERRED`,
  `CREATE TABLE quota_cell (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    cell smallint NOT NULL,
    quota_id uuid NOT NULL,
    name text NOT NULL,
    -- Null once the quota is removed.
    maximum integer,
    submitted cell_count NOT NULL DEFAULT 0,
    -- Whether a reversed participation has its number.
    kept boolean NOT NULL DEFAULT false,
    -- Whether the last event of the quota says that it is filled, and its number.
    filled boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 0,
    CONSTRAINT quota_cell_pkey PRIMARY KEY (company_id, campaign_id, cell),
    CONSTRAINT quota_cell_name_unique UNIQUE (company_id, campaign_id, name),
    CONSTRAINT quota_cell_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT quota_cell_number CHECK (cell > 0),
    CONSTRAINT quota_cell_maximum CHECK (maximum BETWEEN 1 AND 10000000)
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE quota_cell IS 'distributed by company_id'`,
  // By the number of a cell: those who are answering or have submitted, and copies of the maximums.
  // They are in one row, because each row that a begin updates costs it about 18 µs. The function
  // check_cell_counts compares the two.
  `CREATE TABLE cell_counts (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    taken integer[] NOT NULL,
    maximums integer[] NOT NULL,
    CONSTRAINT cell_counts_pkey PRIMARY KEY (company_id, campaign_id),
    CONSTRAINT cell_counts_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id)
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE cell_counts IS 'distributed by company_id'`,
  // How many have begun in each of the last 61 minutes; the last of them is "minute", since 1970.
  `CREATE TABLE begin_pace (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    minute integer NOT NULL,
    begun integer[] NOT NULL,
    CONSTRAINT begin_pace_pkey PRIMARY KEY (company_id, campaign_id),
    CONSTRAINT begin_pace_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT begin_pace_begun CHECK (cardinality(begun) = 61 AND 0 <= ALL (begun))
  ) WITH (fillfactor = 50)`,
  `COMMENT ON TABLE begin_pace IS 'distributed by company_id'`,
  // How many times a rule has refused a respondent. It is added to later, from memory.
  `CREATE TABLE refused_begin (
    company_id uuid NOT NULL,
    campaign_id bigint NOT NULL,
    reason text NOT NULL,
    rule text NOT NULL,
    refused bigint NOT NULL,
    CONSTRAINT refused_begin_pkey PRIMARY KEY (company_id, campaign_id, reason, rule),
    CONSTRAINT refused_begin_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT refused_begin_reason CHECK (
      reason IN ('screened_out', 'quota_full', 'pace_reached')
    ),
    CONSTRAINT refused_begin_positive CHECK (refused > 0)
  )`,
  `COMMENT ON TABLE refused_begin IS 'distributed by company_id'`,
];
