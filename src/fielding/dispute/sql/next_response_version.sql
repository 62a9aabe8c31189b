-- The version of the next event of a submitted participation: after its submission, its bonus, and what
-- became of its dispute. A reversal is the last one. The caller has locked the participation.
CREATE OR REPLACE FUNCTION next_response_version(part participation) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  of_dispute integer;
BEGIN
  SELECT CASE d.state WHEN 'open' THEN 1 ELSE 2 END INTO of_dispute FROM dispute AS d
  WHERE d.company_id = part.company_id AND d.participation_id = part.participation_id;
  RETURN 2 + (part.bonus IS NOT NULL)::integer + coalesce(of_dispute, 0);
END $$;
