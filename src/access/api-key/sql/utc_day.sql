-- The day by the clock of the database, in UTC.
CREATE OR REPLACE FUNCTION utc_day() RETURNS date LANGUAGE sql VOLATILE AS $$
  SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date
$$;
