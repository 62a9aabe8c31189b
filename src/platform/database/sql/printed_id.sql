-- A stored identifier as clients see it: the opposite of stored_id. A company's test data has the
-- company's uuid with version 8 instead of 7, and the prefix test instead of co.
CREATE OR REPLACE FUNCTION printed_id(prefix text, stored uuid) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN t.test THEN 'test' ELSE prefix END || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substr(b.bits, 5 * n - 4, 5)::bit(5)::integer, 1),
    '' ORDER BY n)
  FROM (SELECT prefix = 'co' AND substr(stored::text, 15, 1) = '8' AS test) AS t
  CROSS JOIN LATERAL (
    SELECT CASE WHEN t.test THEN overlay(stored::text PLACING '7' FROM 15)
      ELSE stored::text END AS uuid
  ) AS u
  CROSS JOIN LATERAL (
    SELECT '00' || ('x' || replace(u.uuid, '-', ''))::bit(128)::text AS bits
  ) AS b
  CROSS JOIN generate_series(1, 26) AS n
  GROUP BY t.test
$$;
