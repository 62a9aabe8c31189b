-- The rule about the counts of a campaign's cells: none is negative, and none exceeds its maximum.
CREATE OR REPLACE FUNCTION check_cell_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Variables are not unpacked again for each element.
  counts CONSTANT integer[] := NEW.taken;
  limits CONSTANT integer[] := NEW.maximums;
BEGIN
  FOR cell IN 1 .. cardinality(counts) LOOP
    IF counts[cell] < 0 OR counts[cell] > limits[cell] THEN
      RAISE EXCEPTION 'the counts of cells violate constraint "cell_counts_within_maximum"'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'cell_counts_within_maximum',
          TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER cell_counts_valid BEFORE INSERT OR UPDATE ON cell_counts
  FOR EACH ROW EXECUTE FUNCTION check_cell_counts();
