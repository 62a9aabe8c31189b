-- Locks the tally of a company, and returns the number of the last event that is in it. Whoever
-- changes the tally holds this lock, after any lock of a participation and before that of a campaign,
-- so that nobody holds up a campaign while it waits. A statement that waited for it must be followed
-- by one that reads, which sees what happened meanwhile.
CREATE OR REPLACE FUNCTION lock_tally(company uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  reached bigint;
BEGIN
  LOOP
    SELECT t.folded_seq INTO reached FROM tally_position AS t WHERE t.company_id = company
    FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO tally_position (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN reached;
END $$;
