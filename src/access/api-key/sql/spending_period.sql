-- The period of a limit that a day belongs to, by its name: 2026-11-28, 2026-11 or total.
CREATE OR REPLACE FUNCTION spending_period(per text, day date) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT CASE per
    WHEN 'day' THEN to_char(day::timestamp, 'YYYY-MM-DD')
    WHEN 'month' THEN to_char(day::timestamp, 'YYYY-MM')
    WHEN 'total' THEN 'total'
  END
$$;
