import type { Question } from '../../campaigns/questions/question.types';
import type { StoredId } from '../../platform/database/identifiers';
import { Tabulation, TABULATIONS } from '../results/tabulation.rules';
import type { TallyRow } from '../results/tally.rules';

/**
 * The campaign with the questions of version $3, or else of the current version, and the cell of
 * the quota with the name $4.
 */
export const CAMPAIGN = `
  SELECT campaign.id, questions.version, questions.questions,
    CASE WHEN $4::text IS NOT NULL THEN (
      SELECT q.cell FROM quota_cell AS q
      WHERE q.company_id = $1 AND q.campaign_id = campaign.id AND q.name = $4
        AND q.maximum IS NOT NULL
    ) END AS cell, ${TABULATIONS} AS tabulations
  FROM campaign
  LEFT JOIN question_set AS questions
    ON questions.company_id = $1 AND questions.campaign_id = campaign.id
    AND questions.version = coalesce($3, campaign.question_set_version)
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

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

/**
 * What the tally of a campaign ($2) has of questions ($4) in versions ($3), in some cells ($5), and
 * its position, from one snapshot; a row of nulls if it has nothing.
 */
export const TALLY = `
  SELECT p.folded_seq, coalesce(s.last_seq, 0) AS last_seq,
    statement_timestamp() AS as_of, t.version, t.cell, t.kind, t.item,
    json_agg(t.key) AS keys,
    string_agg(concat_ws(' ', t.cohort_1, t.cohort_2, t.cohort_3, t.cohort_4, t.cohort_5), ',')
      AS amounts
  FROM (SELECT folded_seq FROM tally_position WHERE company_id = $1) AS p
  LEFT JOIN (SELECT last_seq FROM event_sequence WHERE company_id = $1) AS s ON true
  LEFT JOIN (
    SELECT t.* FROM unnest($3::integer[], $4::text[]) AS n (version, item)
    JOIN tally AS t
      ON t.company_id = $1 AND t.campaign_id = $2 AND t.version = n.version AND t.item = n.item
      AND t.cell = ANY ($5::smallint[])
      AND t.kind IN ('answered', 'option', 'offered', 'rated', 'rating', 'value', 'date', 'coarse')
  ) AS t ON true
  GROUP BY p.folded_seq, s.last_seq, t.version, t.cell, t.kind, t.item`;

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

export interface CountedRow extends TallyRow {
  folded_seq: string;
  last_seq: string;
  as_of: Date;
  version: number | null;
  cell: number | null;
}

/** Amounts of a column, or the last response that was looked at. */
export type CrossRow =
  | { reached_at: string; reached_id: StoredId; column_name: null }
  | ({ reached_at: null; column_name: string } & TallyRow);
