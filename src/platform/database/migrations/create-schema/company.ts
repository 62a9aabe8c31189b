/** A registered client company: one account. Its email address is unique regardless of case. */
export const company = [
  `CREATE TABLE company (
    company_id uuid CONSTRAINT company_pkey PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    -- ISO 4217; that of every amount of the company. It never changes.
    currency text NOT NULL DEFAULT 'USD',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT company_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT company_currency_code CHECK (currency ~ '^[A-Z]{3}$')
  )`,
  `COMMENT ON TABLE company IS 'reference'`,
  // An address has no letters but those of ASCII, and Turkish does not make an i of I.
  `CREATE UNIQUE INDEX company_email_unique ON company (lower(email COLLATE "C"))`,
  // What a post_id tells of its company (see `post-ids.service.ts`).
  `CREATE INDEX company_end ON company (right(company_id::text, 7))`,
];
