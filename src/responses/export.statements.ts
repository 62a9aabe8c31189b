import { boundedPage } from '../database/bounded-page';

/** How many events one statement looks at, whether or not they are in the export. */
export const LOOK_MAXIMUM = 5_000;

/** How many rows one statement returns. */
const ROWS_MAXIMUM = 1_000;

/** About how many bytes a row has besides its answers. */
const ENTRY_BYTES = 500;

/** The last event of a company ($1), and the one that created a campaign ($2, its post_id). */
export const RANGE = `
  SELECT sequence.last_seq, created.seq AS created_seq
  FROM event_sequence AS sequence
  LEFT JOIN event AS created
    ON created.company_id = $1 AND created.subject = $2 AND created.version = 1
  WHERE sequence.company_id = $1`;

/** The submissions to a campaign from $3 to $4, of some cohorts ($5) and of one version ($6). */
const SUBMITTED = `
  FROM event
  CROSS JOIN LATERAL (
    SELECT 1 WHERE $6::integer IS NULL
    UNION ALL
    SELECT 1 FROM participation AS part
    WHERE part.company_id = $1 AND part.campaign_id = $7::bigint
      AND part.participation_id = event.subject AND part.question_set_version = $6
    OFFSET 0
  ) AS of_version
  WHERE event.company_id = $1 AND event.seq > $3 AND event.seq <= $4
    AND event.type = 'response.submitted' AND event.changes ->> 'post_id' = $2
    AND ($5::integer[] IS NULL OR (event.changes ->> 'cohort')::integer = ANY ($5))`;

export const COUNT = `SELECT count(*)::integer AS count ${SUBMITTED}`;

/** One page of submissions, measured before the answers themselves are read. */
export const exportPage = (columns: string) => `
  SELECT page.seq, page.found, ${columns}, question_set.question_id, response.answers
  FROM (${boundedPage({
    rows: `
      SELECT submitted.seq, submitted.subject, coalesce(measured.size, 0) + ${ENTRY_BYTES} AS bytes
      FROM (SELECT event.seq, event.subject ${SUBMITTED}) AS submitted
      LEFT JOIN LATERAL (
        SELECT r.size FROM response AS r
        WHERE r.company_id = $1 AND r.campaign_id = $7::bigint
          AND r.participation_id = submitted.subject
        OFFSET 0
      ) AS measured ON true`,
    order: 'seq',
    limit: ROWS_MAXIMUM,
  })}) AS page
  CROSS JOIN LATERAL (
    SELECT * FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id = $7::bigint AND p.participation_id = page.subject
    OFFSET 0
  ) AS participation
  LEFT JOIN LATERAL (
    SELECT r.answers FROM response AS r
    WHERE r.company_id = $1 AND r.campaign_id = $7::bigint AND r.participation_id = page.subject
    OFFSET 0
  ) AS response ON true
  LEFT JOIN LATERAL (
    SELECT q.question_id FROM question_set AS q
    WHERE q.company_id = $1 AND q.campaign_id = $7::bigint
      AND q.version = participation.question_set_version
    OFFSET 0
  ) AS question_set ON true
  ORDER BY page.seq`;

/** The question sets of a campaign, or one of them; at most so many, the newest first. */
export const questionSets = (limit: number) => `
  SELECT version, questions FROM question_set
  WHERE company_id = $1 AND campaign_id = $2 AND ($3::integer IS NULL OR version = $3)
  ORDER BY version DESC LIMIT ${limit}`;
