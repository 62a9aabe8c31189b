/** Each text of a function that was ever applied, and when it last was (see `functions.ts`). */
export const appliedFunction = [
  `CREATE TABLE applied_function (
    name text NOT NULL,
    -- SHA-256 of the file, in hexadecimal digits.
    hash text NOT NULL,
    applied_at timestamptz NOT NULL,
    CONSTRAINT applied_function_pkey PRIMARY KEY (name, hash)
  )`,
  `COMMENT ON TABLE applied_function IS 'local'`,
];
