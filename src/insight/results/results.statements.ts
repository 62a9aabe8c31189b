import { PROGRESS } from '../../campaigns/campaign/progress.columns';
import { TABULATIONS } from './tabulation.rules';

/**
 * The campaign with the questions of version $3, or else of the current version, and the cell of
 * the quota with the name $4.
 */
export const CAMPAIGN = `
  SELECT campaign.id, campaign.currency, campaign.format, campaign.image_survey, questions.version,
    questions.questions, ${PROGRESS} AS progress, CASE WHEN $4::text IS NOT NULL THEN (
      SELECT q.cell FROM quota_cell AS q
      WHERE q.company_id = $1 AND q.campaign_id = campaign.id AND q.name = $4
        AND q.maximum IS NOT NULL
    ) END AS cell, campaign.margins, CASE WHEN $5 THEN ${TABULATIONS} END AS tabulations
  FROM campaign
  LEFT JOIN question_set AS questions
    ON questions.company_id = $1 AND questions.campaign_id = campaign.id
    AND questions.version = coalesce($3, campaign.question_set_version)
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

/** Hours in one row: there are tens of thousands in some years. */
const HOURS = 500;

/**
 * The tally of a campaign and its position, from one snapshot; a row of nulls if it is empty. A row
 * has all keys of an item, and their amounts in the same order: to receive a row for each of 25,000
 * options takes long, and other requests have no turn meanwhile. So do many hours in one row.
 *
 * The cells ($4) are some ($5), and that of all responses, which has the hours and the totals too.
 */
export const TALLY = `
  SELECT p.folded_seq, coalesce(s.last_seq, 0) AS last_seq,
    statement_timestamp() AS as_of, t.version, t.cell, t.kind, t.item,
    json_agg(t.key) AS keys,
    string_agg(concat_ws(' ', t.cohort_1, t.cohort_2, t.cohort_3, t.cohort_4, t.cohort_5), ',')
      AS amounts
  FROM (SELECT folded_seq FROM tally_position WHERE company_id = $1) AS p
  LEFT JOIN (SELECT last_seq FROM event_sequence WHERE company_id = $1) AS s ON true
  LEFT JOIN tally AS t
    ON t.company_id = $1 AND t.campaign_id = $2 AND t.version = ANY ($3::integer[])
    AND t.cell = ANY ($4::smallint[])
    AND (t.cell = ANY ($5::smallint[])
      OR t.kind IN ('submitted', 'reversed', 'counted', 'paid', 'hour'))
  GROUP BY p.folded_seq, s.last_seq, t.version, t.cell, t.kind, t.item,
    CASE WHEN t.kind = 'hour' THEN t.key::bigint / ${HOURS} END`;
