import type { StoredId } from '../../platform/database/identifiers';
import { printEnvironment } from '../../platform/caller/environment.rules';
import type { TallyRow } from './tally.rules';

/** The cell of the quota with the name $4 of a campaign; null if it has none. */
export const CELL_OF_QUOTA = `CASE WHEN $4::text IS NOT NULL THEN (
    SELECT q.cell FROM quota_cell AS q
    WHERE q.company_id = $1 AND q.campaign_id = campaign.id AND q.name = $4
      AND q.maximum IS NOT NULL
  ) END`;

/** A campaign with the questions of version $3, or else of the current version. */
export const CAMPAIGN_WITH_QUESTIONS = `
  FROM campaign
  LEFT JOIN question_set AS questions
    ON questions.company_id = $1 AND questions.campaign_id = campaign.id
    AND questions.version = coalesce($3, campaign.question_set_version)
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

/**
 * Rows of the tally of a company and its position, from one snapshot; a row of nulls if there are
 * none. A row has all keys of an item, and their amounts in the same order: to receive a row for
 * each of 25,000 options takes long, and other requests have no turn meanwhile.
 *
 * @param tally joins what is read, as `t`
 * @param part what else divides the keys of an item into rows
 */
export const readTally = (tally: string, part = 't.item') => `
  SELECT p.folded_seq, coalesce(s.last_seq, 0) AS last_seq,
    statement_timestamp() AS as_of, t.version, t.cell, t.kind, t.item,
    json_agg(t.key) AS keys,
    string_agg(concat_ws(' ', t.cohort_1, t.cohort_2, t.cohort_3, t.cohort_4, t.cohort_5), ',')
      AS amounts
  FROM (SELECT folded_seq FROM tally_position WHERE company_id = $1) AS p
  LEFT JOIN (SELECT last_seq FROM event_sequence WHERE company_id = $1) AS s ON true
  LEFT JOIN ${tally}
  GROUP BY p.folded_seq, s.last_seq, t.version, t.cell, t.kind, t.item, ${part}`;

/** A row of {@link readTally}. */
export interface CountedRow extends TallyRow {
  folded_seq: string;
  last_seq: string;
  as_of: Date;
  version: number | null;
  cell: number | null;
}

/** What the tally accounts for. */
export interface TallyPosition {
  /** The number of the last event that is counted. */
  asOfSeq: number;
  /** Later events. */
  behind: number;
  asOf: Date;
}

/** @param unnumbered how many later events have no number yet */
export function positionOf(
  rows: readonly CountedRow[],
  companyId: StoredId,
  unnumbered: number,
): TallyPosition {
  const [first] = rows;
  if (first === undefined) {
    throw new Error(`the tally of ${printEnvironment(companyId)} has no position`);
  }
  const asOfSeq = Number(first.folded_seq);
  return { asOfSeq, behind: Number(first.last_seq) - asOfSeq + unnumbered, asOf: first.as_of };
}
