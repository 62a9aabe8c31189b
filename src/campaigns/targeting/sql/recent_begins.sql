-- How many have begun a campaign within the last hour, by the minutes of begin_pace. A begin counts for
-- 60 minutes and the rest of its minute, so that no hour ever has more than the limit.
CREATE OR REPLACE FUNCTION recent_begins(minute integer, begun integer[], moment timestamptz)
RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(sum(b.number), 0) FROM unnest(begun) WITH ORDINALITY AS b (number, place)
  WHERE minute - 61 + b.place >= floor(extract(epoch FROM moment) / 60) - 60
$$;
