-- Stores the settlement of a platform with its lines, which the caller has added up: it begins where
-- the last one ends. It is refused if another one has been stored since.
CREATE OR REPLACE FUNCTION close_settlement(
  company uuid, id uuid, of_platform text, in_currency text, after bigint, through bigint,
  hash bytea, campaigns_of bigint[], counts bigint[], amounts numeric[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- A cluster refuses subqueries in an INSERT.
  previous CONSTANT uuid := (
    SELECT s.settlement_id FROM settlement AS s
    WHERE s.company_id = company AND s.platform = of_platform AND s.to_seq = after);
  number CONSTANT bigint := (SELECT sum(n) FROM unnest(counts) AS n);
  total CONSTANT numeric := (SELECT sum(n) FROM unnest(amounts) AS n);
BEGIN
  INSERT INTO settlement (company_id, settlement_id, platform, currency, from_seq, to_seq,
    previous_id, payments, campaigns, net, sha256)
  VALUES (company, id, of_platform, in_currency, after, through, previous, number,
    cardinality(campaigns_of), total, hash);
  INSERT INTO settlement_line (company_id, settlement_id, position, campaign_id, payments, net)
  SELECT company, id, l.position, l.campaign, l.payments, l.net
  FROM unnest(campaigns_of, counts, amounts) WITH ORDINALITY
    AS l (campaign, payments, net, position);
END $$;
