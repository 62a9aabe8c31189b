-- Adds to how many times the rules of a company's campaigns have refused a respondent. Each rule is
-- named once, and in the same order by every caller, so that none waits for one that waits for it.
CREATE OR REPLACE FUNCTION add_refused_begins(
  company uuid, campaigns bigint[], reasons text[], rules text[], numbers bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO refused_begin AS r (company_id, campaign_id, reason, rule, refused)
  SELECT company, n.campaign_id, n.reason, n.rule, n.refused
  FROM unnest(campaigns, reasons, rules, numbers) AS n (campaign_id, reason, rule, refused)
  ON CONFLICT (company_id, campaign_id, reason, rule) DO UPDATE
  SET refused = r.refused + excluded.refused;
END $$;
