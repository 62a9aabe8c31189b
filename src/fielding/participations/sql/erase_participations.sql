-- Erases who participations are of, their answers, and the signals of quality that were measured in
-- them. The caller has locked the participations and taken them out of the tally, which counts these.
CREATE OR REPLACE FUNCTION erase_participations(
  company uuid, campaigns bigint[], participations uuid[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE participation AS p SET respondent = NULL, submission = NULL, answers = NULL,
    text_hash = NULL, answer_percentile = NULL, longest_run = NULL, compared_answers = NULL,
    consistency = NULL, text_repeats = NULL, quality_flags = NULL
  WHERE p.company_id = company AND p.campaign_id = ANY (campaigns)
    AND p.participation_id = ANY (participations);
END $$;
