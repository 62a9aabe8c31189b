-- The first day of the period of a limit that a day belongs to.
CREATE OR REPLACE FUNCTION spending_starts(per text, day date) RETURNS date
LANGUAGE sql STABLE AS $$
  SELECT CASE per
    WHEN 'day' THEN day
    WHEN 'month' THEN date_trunc('month', day::timestamp)::date
    WHEN 'total' THEN '-infinity'::date
  END
$$;
