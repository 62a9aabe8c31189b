/**
 * The key that hides which company a post_id names (see `post-id.rules.ts`). It is not encrypted:
 * whoever can read it can also read the companies of all campaigns. It must never change.
 */
export const postIdKey = [
  `CREATE TABLE post_id_key (
    -- There is one row.
    is_key boolean DEFAULT true CONSTRAINT post_id_key_pkey PRIMARY KEY,
    key bytea NOT NULL,
    CONSTRAINT post_id_key_one CHECK (is_key),
    CONSTRAINT post_id_key_length CHECK (octet_length(key) = 32)
  )`,
  `COMMENT ON TABLE post_id_key IS 'local'`,
  // Random bytes, but for six bits of each version and variant.
  `INSERT INTO post_id_key (key)
    VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`,
];
