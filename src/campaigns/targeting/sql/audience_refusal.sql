-- Returns which rule of an audience refuses a respondent, because of what the respondent has done in
-- the campaigns of the company; null if none does. findAudienceRefusal has the same rules, but for the answers.
--
-- Others who begin for the same respondent in the company under such rules wait until the transaction
-- ends: so each of them sees what the others have begun. The caller has locked the campaign, and waits
-- for nothing afterwards. To begin a campaign without such rules waits for nobody: nothing refuses it,
-- so it comes after this one.
CREATE OR REPLACE FUNCTION audience_refusal(
  company uuid, who bytea, audience jsonb, moment timestamptz
) RETURNS text LANGUAGE plpgsql
-- A plan that was made while a table was small must not scan it when it has grown.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  -- Days of another length, as a change of the time makes them, would depend on a time zone.
  one_day CONSTANT interval := interval '24 hours';
  excluded bigint[] := (
    SELECT array_agg(c.id::bigint)
    FROM jsonb_array_elements_text(nullif(audience #> '{exclude,campaigns}', 'null')) AS c (id)
  );
  excluded_since timestamptz :=
    coalesce(moment - (audience #>> '{exclude,days}')::integer * one_day, '-infinity');
  included bigint := (audience #>> '{include,campaign}')::bigint;
  cohorts jsonb := nullif(audience #> '{include,cohorts}', 'null');
  answered jsonb := nullif(audience #> '{include,answered}', 'null');
  maximum integer := (audience #>> '{at_most,responses}')::integer;
  counted_since timestamptz := moment - (audience #>> '{at_most,days}')::integer * one_day;
  is_excluded boolean;
  is_included boolean;
  responses bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended(company::text || encode(who, 'hex'), 4171832906)
  );
  SELECT
    bool_or(
      (excluded IS NULL OR p.campaign_id = ANY (excluded)) AND p.begun_at > excluded_since
      AND p.state <> 'screened_out'
    ),
    bool_or(
      p.campaign_id = included AND p.state = 'submitted'
      AND (cohorts IS NULL OR cohorts @> to_jsonb(p.cohort))
      -- Without answers, after an erasure, this is null.
      AND (answered IS NULL OR is_shown(answered, answers_by_key(p.answers::jsonb)))
    ),
    count(*) FILTER (
      WHERE p.begun_at > counted_since AND (
        p.state IN ('submitted', 'reversed') OR p.state = 'open' AND p.expires_at > moment
      )
    )
  INTO is_excluded, is_included, responses
  FROM participation AS p WHERE p.respondent = who AND p.company_id = company;
  RETURN CASE
    WHEN audience -> 'exclude' <> 'null' AND is_excluded THEN 'exclude'
    WHEN included IS NOT NULL AND is_included IS NOT TRUE THEN 'include'
    WHEN responses >= maximum THEN 'at_most'
  END;
END $$;
