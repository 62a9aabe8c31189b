/** A registered client company: one account. Its email address is unique regardless of case. */
export const company = [
  `CREATE TABLE company (
    company_id text CONSTRAINT company_pkey PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT company_name_length CHECK (char_length(name) BETWEEN 1 AND 200)
  )`,
  `COMMENT ON TABLE company IS 'reference'`,
  `CREATE UNIQUE INDEX company_email_unique ON company (lower(email))`,
];
