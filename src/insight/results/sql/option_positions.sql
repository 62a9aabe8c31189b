-- The positions of options or rows, from 1, by what answers name them by: their key, or else their
-- text. Null without any.
CREATE OR REPLACE FUNCTION option_positions(options jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_object_agg(coalesce(o.option ->> 'key', o.option ->> 'text', o.option #>> '{}'),
    o.position)
  FROM jsonb_array_elements(options) WITH ORDINALITY AS o (option, position)
$$;
