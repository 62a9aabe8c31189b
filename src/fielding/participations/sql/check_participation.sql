-- The rules about several columns of a participation, each with its name.
CREATE OR REPLACE FUNCTION check_participation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_answered CONSTANT boolean := NEW.state IN ('submitted', 'reversed');
  broken CONSTANT text := CASE
    WHEN NOT (NEW.held = ANY (NEW.rewards) AND NEW.held >= ALL (NEW.rewards)
        AND NEW.expires_at > NEW.begun_at)
      THEN 'participation_promise'
    -- Section 2.3: a score on the border of two bands belongs to the higher one.
    WHEN num_nonnulls(NEW.attention_score, NEW.cohort, NEW.reward)
          <> CASE WHEN is_answered THEN 3 ELSE 0 END
        OR NEW.reward IS DISTINCT FROM NEW.rewards[NEW.cohort]
        OR NEW.cohort IS DISTINCT FROM width_bucket(NEW.attention_score, '{2,4,6,8}') + 1
        OR (NOT is_answered
          AND num_nonnulls(NEW.submission, NEW.answers, NEW.text_hash, NEW.bonus) > 0)
      THEN 'participation_reward'
    WHEN (NEW.state = 'open') <> (NEW.closed_at IS NULL)
        OR num_nonnulls(NEW.reversed_at, NEW.reversal_reason)
          <> CASE NEW.state WHEN 'reversed' THEN 2 ELSE 0 END
      THEN 'participation_state'
    WHEN NEW.cells IS NOT NULL AND NEW.state NOT IN ('open', 'submitted', 'reversed')
      THEN 'participation_cells'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE EXCEPTION 'a participation violates constraint "%"', broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER participation_valid BEFORE INSERT OR UPDATE ON participation
  FOR EACH ROW EXECUTE FUNCTION check_participation();
