-- Writes what becomes of an approval to the log of its company.
CREATE OR REPLACE FUNCTION record_approval_event(
  a approval, number integer, type text, actor text, changes jsonb, moment timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  post text;
BEGIN
  SELECT c.post_id INTO post FROM campaign AS c
  WHERE c.company_id = a.company_id AND c.id = a.campaign_id;
  INSERT INTO unnumbered_event
    (company_id, subject, version, type, actor, changes, created_at)
  VALUES (a.company_id, a.approval_id, number, type, actor,
    jsonb_strip_nulls(jsonb_build_object('operation', a.operation, 'post_id', post)) || changes,
    moment);
END $$;
