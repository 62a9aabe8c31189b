/**
 * What respondents of a platform were paid in the campaigns of a company, in the order of the log:
 * all payments with a number after `from_seq`, up to `to_seq`. Those of a company and a platform
 * follow each other without a gap. `check_settlement` has the rules about several rows and about
 * changes.
 */
export const settlement = [
  `CREATE TABLE settlement (
    company_id uuid NOT NULL,
    settlement_id uuid NOT NULL,
    -- As participations have it.
    platform text NOT NULL,
    -- That of the company, which never changes.
    currency text NOT NULL,
    from_seq bigint NOT NULL,
    to_seq bigint NOT NULL,
    -- The one that ends where this one begins; null for the first.
    previous_id uuid,
    payments bigint NOT NULL,
    campaigns integer NOT NULL,
    -- Negative if more was taken back than paid.
    net numeric(20, 2) NOT NULL,
    -- Of its file.
    sha256 bytea NOT NULL,
    closed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    paid_at timestamptz(3),
    reference text,
    CONSTRAINT settlement_pkey PRIMARY KEY (company_id, settlement_id),
    CONSTRAINT settlement_once UNIQUE (company_id, platform, from_seq),
    CONSTRAINT settlement_range CHECK (from_seq >= 0 AND from_seq < to_seq),
    CONSTRAINT settlement_follows CHECK ((previous_id IS NULL) = (from_seq = 0)),
    CONSTRAINT settlement_content
      CHECK (payments >= campaigns AND campaigns > 0 AND octet_length(sha256) = 32),
    CONSTRAINT settlement_paid CHECK ((paid_at IS NULL) = (reference IS NULL)),
    CONSTRAINT settlement_reference_length CHECK (char_length(reference) BETWEEN 1 AND 200)
  )`,
  `COMMENT ON TABLE settlement IS 'distributed by company_id'`,
  `CREATE INDEX settlement_of_company ON settlement (company_id, closed_at, settlement_id)`,
  // A platform lists its settlements with all companies, and reads one without knowing the company.
  `CREATE INDEX settlement_of_platform ON settlement (platform, closed_at, settlement_id)`,
  `CREATE INDEX settlement_by_id ON settlement (settlement_id)`,
  `CREATE INDEX settlement_unpaid ON settlement (platform, closed_at, settlement_id)
    WHERE paid_at IS NULL`,
  // The net amount of each campaign. The positions of a settlement are all taken when it is closed,
  // so no line is ever added.
  `CREATE TABLE settlement_line (
    company_id uuid NOT NULL,
    settlement_id uuid NOT NULL,
    position integer NOT NULL,
    campaign_id bigint NOT NULL,
    payments bigint NOT NULL,
    net numeric(20, 2) NOT NULL,
    CONSTRAINT settlement_line_pkey PRIMARY KEY (company_id, settlement_id, position),
    CONSTRAINT settlement_line_once UNIQUE (company_id, settlement_id, campaign_id),
    CONSTRAINT settlement_line_settlement_fkey
      FOREIGN KEY (company_id, settlement_id) REFERENCES settlement (company_id, settlement_id),
    CONSTRAINT settlement_line_campaign_fkey
      FOREIGN KEY (company_id, campaign_id) REFERENCES campaign (company_id, id),
    CONSTRAINT settlement_line_payments CHECK (payments > 0)
  )`,
  `COMMENT ON TABLE settlement_line IS 'distributed by company_id'`,
  // Up to which number everything is in settlements, whatever the platform.
  `CREATE TABLE settlement_position (
    company_id uuid CONSTRAINT settlement_position_pkey PRIMARY KEY,
    seq bigint NOT NULL
  )`,
  `COMMENT ON TABLE settlement_position IS 'distributed by company_id'`,
];
