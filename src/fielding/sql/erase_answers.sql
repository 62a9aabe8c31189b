-- Erases the answers of participations and the signals of quality that were measured in them. The
-- caller has locked the participations and taken them out of the tally, which counts the signals.
CREATE OR REPLACE FUNCTION erase_answers(
  company uuid, campaigns bigint[], participations uuid[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE participation AS p SET answer_percentile = NULL, longest_run = NULL,
    compared_answers = NULL, consistency = NULL, text_repeats = NULL, quality_flags = NULL
  WHERE p.company_id = company AND p.campaign_id = ANY (campaigns)
    AND p.participation_id = ANY (participations);
  DELETE FROM response AS r
  WHERE r.company_id = company AND r.campaign_id = ANY (campaigns)
    AND r.participation_id = ANY (participations);
END $$;
