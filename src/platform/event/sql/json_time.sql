-- A time as responses print it: in UTC, with milliseconds. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION json_time(moment timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
