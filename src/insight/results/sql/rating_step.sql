-- The width of a step of the histogram of a slider: one step of its scale, or as many as it takes to
-- have no more than 101 steps, so that the scales from 0 to 10 and from 0 to 100 keep theirs.
CREATE OR REPLACE FUNCTION rating_step(scale jsonb) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (scale ->> 'step')::numeric * ceil(
  (((scale ->> 'max')::numeric - (scale ->> 'min')::numeric) / (scale ->> 'step')::numeric + 1) / 101
);
