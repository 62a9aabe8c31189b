-- Stores what becomes of the dispute of a participation, if it is open: once its time is over, it is
-- declined, whatever is decided. The caller has locked the participation and the campaign.
CREATE OR REPLACE FUNCTION close_dispute(
  c campaign, part participation, decision text, said text, caller text, moment timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  company CONSTANT uuid := part.company_id;
  participation CONSTANT uuid := part.participation_id;
  d dispute%ROWTYPE;
  has_lapsed boolean;
  outcome text;
BEGIN
  SELECT * INTO d FROM dispute AS o
  WHERE o.company_id = company AND o.participation_id = participation;
  IF (d.state = 'open') IS NOT TRUE THEN
    RETURN;
  END IF;
  has_lapsed := d.lapses_at <= moment;
  outcome := CASE WHEN has_lapsed THEN 'declined' ELSE decision END;
  PERFORM record_response_event(c, part, 'dispute.' || outcome,
    CASE WHEN has_lapsed THEN 'service' ELSE caller END,
    jsonb_build_object('has_lapsed', has_lapsed)
      || CASE WHEN has_lapsed OR said IS NULL THEN '{}'::jsonb
        ELSE jsonb_build_object('note', said) END);
  UPDATE dispute AS o SET state = outcome,
    decided_at = CASE WHEN has_lapsed THEN d.lapses_at ELSE greatest(moment, d.opened_at) END,
    note = CASE WHEN has_lapsed THEN NULL ELSE said END
  WHERE o.company_id = company AND o.participation_id = participation;
END $$;
