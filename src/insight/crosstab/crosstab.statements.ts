import type { Question } from '../../campaigns/questions/question.types';
import type { StoredId } from '../../platform/database/identifiers';
import { Tabulation, TABULATIONS } from '../results/tabulation.rules';
import type { TallyRow } from '../results/tally.rules';
import { CAMPAIGN_WITH_QUESTIONS, CELL_OF_QUOTA, readTally } from '../results/tally.columns';

/** What a table takes of a campaign. */
export const CAMPAIGN = `
  SELECT campaign.id, questions.version, questions.questions, ${CELL_OF_QUOTA} AS cell,
    ${TABULATIONS} AS tabulations
  ${CAMPAIGN_WITH_QUESTIONS}`;

/** The question with a key ($3) in the latest versions of a campaign's set ($4 of them). */
export const VERSIONS = `
  SELECT s.version, q.position::integer AS position, q.question
  FROM (
    SELECT o.version, o.questions FROM question_set AS o
    WHERE o.company_id = $1 AND o.campaign_id = $2 ORDER BY o.version DESC LIMIT $4
  ) AS s
  CROSS JOIN LATERAL jsonb_array_elements(s.questions) WITH ORDINALITY AS q (question, position)
  WHERE coalesce(q.question ->> 'key', 'q' || q.position) = $3
  ORDER BY s.version`;

/** What the tally of a campaign ($2) has of questions ($4) in versions ($3), in some cells ($5). */
export const TALLY = readTally(`(
    SELECT t.* FROM unnest($3::integer[], $4::text[]) AS n (version, item)
    JOIN tally AS t
      ON t.company_id = $1 AND t.campaign_id = $2 AND t.version = n.version AND t.item = n.item
      AND t.cell = ANY ($5::smallint[])
      AND t.kind IN ('answered', 'option', 'offered', 'rated', 'rating', 'value', 'date', 'coarse')
  ) AS t ON true`);

/** The next responses of a campaign, counted by column: see the function. */
export const CROSS = `
  SELECT reached_at::text, reached_id, column_name, kind, item, keys, amounts
  FROM cross_amounts($1, $2, $3, $4, $5, $6, $7::timestamptz, $8, $9, $10)`;

export interface CampaignRow {
  id: string;
  version: number | null;
  questions: Question[] | null;
  /** `null` if the query names no quota, or none of the campaign. */
  cell: number | null;
  tabulations: Tabulation[] | null;
}

export interface VersionRow {
  version: number;
  position: number;
  question: Question;
}

/** Amounts of a column, or the last response that was looked at. */
export type CrossRow =
  | { reached_at: string; reached_id: StoredId; column_name: null }
  | ({ reached_at: null; column_name: string } & TallyRow);
