import { PROGRESS } from '../../campaigns/campaign/progress.columns';
import { TABULATIONS } from './tabulation.rules';
import { CAMPAIGN_WITH_QUESTIONS, CELL_OF_QUOTA, readTally } from './tally.columns';

/** What results say of a campaign, and its tabulations if $5 is true. */
export const CAMPAIGN = `
  SELECT campaign.id, campaign.currency, campaign.format, campaign.image_survey, questions.version,
    questions.questions, ${PROGRESS} AS progress, ${CELL_OF_QUOTA} AS cell, campaign.margins,
    CASE WHEN $5 THEN ${TABULATIONS} END AS tabulations
  ${CAMPAIGN_WITH_QUESTIONS}`;

/** Hours in one row: there are tens of thousands in some years. */
const HOURS = 500;

/**
 * The tally of a campaign ($2), of two versions ($3). The cells ($4) are some ($5), and that of all
 * responses, which has the hours and the totals too.
 */
export const TALLY = readTally(
  `tally AS t
    ON t.company_id = $1 AND t.campaign_id = $2 AND t.version = ANY ($3::integer[])
    AND t.cell = ANY ($4::smallint[])
    AND (t.cell = ANY ($5::smallint[])
      OR t.kind IN ('submitted', 'reversed', 'counted', 'paid', 'hour'))`,
  `CASE WHEN t.kind = 'hour' THEN t.key::bigint / ${HOURS} END`,
);
