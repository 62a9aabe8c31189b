-- When the period of a limit that a day belongs to is over: at midnight UTC, or never.
CREATE OR REPLACE FUNCTION spending_resets(per text, day date) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE per
    WHEN 'day' THEN (day::timestamp + interval '1 day') AT TIME ZONE 'UTC'
    WHEN 'month' THEN (date_trunc('month', day::timestamp) + interval '1 month') AT TIME ZONE 'UTC'
  END
$$;
