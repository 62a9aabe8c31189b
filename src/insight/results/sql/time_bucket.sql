-- The bucket of a time in seconds, in a histogram whose buckets grow by 2 %: what bucketOf in
-- log-histogram.rules.ts returns.
CREATE OR REPLACE FUNCTION time_bucket(seconds double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ceil(
  ln(greatest(seconds, 0.001::double precision)) / ln(1.01::double precision / 0.99::double precision)
)::integer;
