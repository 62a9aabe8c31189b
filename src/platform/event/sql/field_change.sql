-- The old and the new value of a field, as an event has them; an empty object if they are equal.
-- PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION field_change(field text, old anyelement, new anyelement) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN old IS DISTINCT FROM new
    THEN jsonb_build_object(field, jsonb_build_object('old', old, 'new', new))
    ELSE '{}'
  END
$$;
