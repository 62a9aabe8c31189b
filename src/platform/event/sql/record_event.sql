-- Writes an event of a subject, by its identifier, to the log of its company, for the sequencer to
-- number: the one event of that version.
CREATE OR REPLACE FUNCTION record_event(
  company uuid, subject text, version integer, type text, actor text, changes jsonb,
  moment timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (company, stored_id(subject), version, type, actor, changes, moment);
END $$;
