-- The identifier that a client sees, such as part_01k9x2v8zdf3xbz0q4v5rk6t7m, as its columns store
-- it; null if the text is no identifier. With the prefix test, it is the company_id of a company's
-- test data. Eight characters of base 32 are ten of base 16.
CREATE OR REPLACE FUNCTION stored_id(printed text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  base32 text := substring(printed from '^[a-z]{1,10}_([0-7][0-9a-hjkmnp-tv-z]{25})$');
  base16 text := '';
  number bigint := 0;
BEGIN
  IF base32 IS NULL THEN
    RETURN NULL;
  END IF;
  FOR n IN 1..26 LOOP
    number := number * 32
      + strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(base32, n, 1)) - 1;
    IF n IN (2, 10, 18, 26) THEN
      base16 := base16 || lpad(to_hex(number), CASE n WHEN 2 THEN 2 ELSE 10 END, '0');
      number := 0;
    END IF;
  END LOOP;
  IF starts_with(printed, 'test_') THEN
    base16 := overlay(base16 PLACING '8' FROM 13);
  END IF;
  RETURN base16::uuid;
END $$;
