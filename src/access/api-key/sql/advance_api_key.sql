-- Increments the version of a key that changes. Using a key does not change it; a second rotation
-- during an overlap does, even if the key ends when it would have.
CREATE OR REPLACE FUNCTION advance_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.name, NEW.scopes, NEW.expires_at, NEW.revoked_at, NEW.overlap_ends_at, NEW.replaced_by,
      NEW.spending_limit, NEW.spending_per, NEW.approval_above)
    IS NOT DISTINCT FROM
      (OLD.name, OLD.scopes, OLD.expires_at, OLD.revoked_at, OLD.overlap_ends_at, OLD.replaced_by,
        OLD.spending_limit, OLD.spending_per, OLD.approval_above)
  THEN
    RETURN OLD;
  END IF;
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER api_key_advanced
  BEFORE UPDATE OF name, scopes, expires_at, revoked_at, overlap_ends_at, replaced_by,
    spending_limit, spending_per, approval_above ON api_key
  FOR EACH ROW EXECUTE FUNCTION advance_api_key();
