-- How many decimal places amounts in a currency have: as many as its minor unit in ISO 4217, and at most
-- two. `placesOf` in currency.field.ts says the same.
CREATE OR REPLACE FUNCTION currency_places(currency text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF',
    'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0 ELSE 2 END
$$;
