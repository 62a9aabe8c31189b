-- The status of a campaign as it is stored.
CREATE OR REPLACE FUNCTION campaign_stored_status(
  is_live boolean, archived boolean, starts_at timestamptz, ends_at timestamptz, due_at timestamptz,
  exhausted_by text[], stop_reason text
) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN archived THEN 'archived'
    WHEN exhausted_by IS NOT NULL OR (ends_at IS NOT NULL AND due_at IS NULL) THEN 'completed'
    WHEN is_live THEN 'live'
    WHEN due_at = starts_at THEN 'scheduled'
    WHEN stop_reason = 'known_enough' THEN 'completed'
    WHEN stop_reason IS NOT NULL THEN 'paused'
    ELSE 'draft'
  END
$$;
