-- A stored identifier as clients see it: the opposite of stored_id.
CREATE OR REPLACE FUNCTION printed_id(prefix text, stored uuid) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substr(b.bits, 5 * n - 4, 5)::bit(5)::integer, 1),
    '' ORDER BY n)
  FROM (
    SELECT '00' || ('x' || replace(stored::text, '-', ''))::bit(128)::text AS bits
  ) AS b
  CROSS JOIN generate_series(1, 26) AS n
$$;
