-- Decides the dispute of a participation, if it is open. To accept it reverses the participation. A
-- dispute whose time is over is declined instead. It returns the dispute as it then is, null if there
-- is none, and what this call made of the participation.
CREATE OR REPLACE FUNCTION decide_dispute(
  company uuid, campaign_of bigint, participation uuid, is_accepted boolean, said text,
  caller text, OUT disputed dispute, OUT became text
) LANGUAGE plpgsql AS $$
DECLARE
  part participation%ROWTYPE;
  c campaign%ROWTYPE;
  moment timestamptz(3);
BEGIN
  SELECT * INTO part FROM participation AS o
  WHERE o.company_id = company AND o.campaign_id = campaign_of
    AND o.participation_id = participation
  FOR NO KEY UPDATE;
  SELECT * INTO disputed FROM dispute AS d
  WHERE d.company_id = company AND d.participation_id = participation;
  IF (disputed.state = 'open') IS NOT TRUE THEN
    RETURN;
  END IF;
  moment := date_trunc('milliseconds', clock_timestamp());
  IF is_accepted AND disputed.lapses_at > moment THEN
    SELECT r.became INTO became
    FROM reverse_participation(
      company, campaign_of, participation, disputed.reason, caller, moment) AS r;
  ELSE
    SELECT * INTO c FROM campaign AS o
    WHERE o.company_id = company AND o.id = campaign_of
    FOR NO KEY UPDATE;
    PERFORM close_dispute(c, part, 'declined', said, caller, moment);
  END IF;
  SELECT * INTO disputed FROM dispute AS d
  WHERE d.company_id = company AND d.participation_id = participation;
END $$;
