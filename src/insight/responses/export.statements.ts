import { boundedPage } from '../../platform/database/bounded-page';

/** How many events or responses one statement looks at, whether or not they are in the export. */
export const LOOK_MAXIMUM = 5_000;

/** How many rows one statement returns. */
export const ROWS_MAXIMUM = 1_000;

/** Maximum number of question sets whose columns one table has. */
const SETS_MAXIMUM = 20;

/** What submissions an export has, between two numbers of the log. */
export interface Wanted {
  after: number;
  upTo: number;
  cohorts: number[] | null;
  version: number | null;
}

/** About how many bytes a row has besides its answers. */
const ENTRY_BYTES = 500;

/**
 * The last event of a company ($1), how many responses were submitted to a campaign ($2), and an
 * event before the first of them: the one that created the campaign ($3, as it is stored) or, if
 * that is in an archive, the last one before the first archived submission. A campaign whose
 * creation has no number yet has no submission in the log.
 */
export const RANGE = `
  SELECT sequence.last_seq, coalesce(progress.answered, 0) AS submitted,
    coalesce(created.seq, archived.seq - 1, sequence.first_seq - 1) AS start_seq
  FROM event_sequence AS sequence
  LEFT JOIN campaign_progress AS progress
    ON progress.company_id = $1 AND progress.campaign_id = $2
  LEFT JOIN event AS created
    ON created.company_id = $1 AND created.subject = $3 AND created.version = 1
  CROSS JOIN LATERAL (
    SELECT min(a.seq) AS seq FROM archived_submission AS a
    WHERE a.company_id = $1 AND a.campaign_id = $2
  ) AS archived
  WHERE sequence.company_id = $1`;

/** An event `e` that is a submission to the campaign of the post $3, from $4 to $5. */
const IS_SUBMISSION = `
  e.company_id = $1 AND e.seq > $4 AND e.seq <= $5
  AND e.type = 'response.submitted' AND e.changes ->> 'post_id' = $3
  AND ($6::integer[] IS NULL OR (e.changes ->> 'cohort')::integer = ANY ($6))`;

/** The submissions among the events from $4 to $5. */
const IN_LOG = `SELECT e.seq, e.subject FROM event AS e WHERE ${IS_SUBMISSION}`;

/**
 * The same, found by the responses of the campaign ($2), however many events there are. An event is
 * read by its key, whatever the statistics say.
 */
const OF_RESPONSES = `
  SELECT e.seq, e.subject FROM participation AS p
  CROSS JOIN LATERAL (
    SELECT * FROM event AS first
    WHERE first.company_id = $1 AND first.subject = p.participation_id AND first.version = 1
    OFFSET 0
  ) AS e
  WHERE p.company_id = $1 AND p.campaign_id + 0 = $2 AND p.state IN ('submitted', 'reversed')
    AND ${IS_SUBMISSION}`;

/**
 * The submissions to a campaign from $4 to $5, of some cohorts ($6) and of one version ($7). Each
 * is in the log or in an archive; one statement finds it in one of the two.
 */
const submissions = (inLog: string) => `
  FROM (
    ${inLog}
    UNION ALL
    SELECT a.seq, a.participation_id FROM archived_submission AS a
    WHERE a.company_id = $1 AND a.campaign_id = $2::bigint AND a.seq > $4 AND a.seq <= $5
      AND ($6::integer[] IS NULL OR a.cohort = ANY ($6))
  ) AS event
  CROSS JOIN LATERAL (
    SELECT 1 WHERE $7::integer IS NULL
    UNION ALL
    SELECT 1 FROM participation AS part
    WHERE part.company_id = $1 AND part.campaign_id = $2::bigint
      AND part.participation_id = event.subject AND part.question_set_version = $7
    OFFSET 0
  ) AS of_version`;

export const COUNT = `SELECT count(*)::integer AS count ${submissions(IN_LOG)}`;

/** All submissions to a campaign with few of them, in order. */
export const LIST = `
  SELECT event.seq, event.subject ${submissions(OF_RESPONSES)} ORDER BY event.seq`;

/** The submissions of a page: between two events, or listed by their numbers and responses. */
const BETWEEN = `SELECT event.seq, event.subject ${submissions(IN_LOG)}`;
const LISTED = 'SELECT * FROM unnest($3::bigint[], $4::uuid[]) AS listed (seq, subject)';

/** One page of submissions, measured before the answers themselves are read. */
const page = (columns: string, submitted: string) => `
  SELECT page.seq, page.found, ${columns}, question_set.question_id,
    participation.answers::json AS answers, CASE WHEN participation.state = 'submitted'
      AND participation.cells IS NOT NULL THEN (
        SELECT json_agg(q.name ORDER BY q.cell) FROM quota_cell AS q
        WHERE q.company_id = $1 AND q.campaign_id = $2::bigint
          AND q.cell = ANY (participation.cells)
      ) END AS quotas
  FROM (${boundedPage({
    rows: `
      SELECT submitted.seq, submitted.subject, coalesce(measured.size, 0) + ${ENTRY_BYTES} AS bytes
      FROM (${submitted}) AS submitted
      LEFT JOIN LATERAL (
        SELECT octet_length(p.answers) AS size FROM participation AS p
        WHERE p.company_id = $1 AND p.campaign_id = $2::bigint
          AND p.participation_id = submitted.subject
        OFFSET 0
      ) AS measured ON true`,
    order: 'seq',
    limit: ROWS_MAXIMUM,
  })}) AS page
  CROSS JOIN LATERAL (
    SELECT * FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id = $2::bigint AND p.participation_id = page.subject
    OFFSET 0
  ) AS participation
  LEFT JOIN LATERAL (
    SELECT q.question_id FROM question_set AS q
    WHERE q.company_id = $1 AND q.campaign_id = $2::bigint
      AND q.version = participation.question_set_version
    OFFSET 0
  ) AS question_set ON true
  ORDER BY page.seq`;

export const pageBetween = (columns: string) => page(columns, BETWEEN);

export const pageOfListed = (columns: string) => page(columns, LISTED);

/** The question sets of a campaign, or one of them, measured before the questions are read. */
export const QUESTION_SETS = `
  SELECT page.version, page.found, stored.questions
  FROM (${boundedPage({
    rows: `
      SELECT version, size AS bytes FROM question_set
      WHERE company_id = $1 AND campaign_id = $2::bigint
        AND ($3::integer IS NULL OR version = $3)`,
    order: 'version',
    limit: SETS_MAXIMUM,
  })}) AS page
  CROSS JOIN LATERAL (
    SELECT q.questions FROM question_set AS q
    WHERE q.company_id = $1 AND q.campaign_id = $2::bigint AND q.version = page.version
    OFFSET 0
  ) AS stored
  ORDER BY page.version`;

/** What decides what of a set is shown: null if none of it has conditions. */
export const CONDITIONS = `
  SELECT CASE WHEN bool_or(
    q.question ? 'show_if' OR q.question @? '$.options[*].show_if' OR q.question @? '$.rows[*].show_if'
  ) THEN json_agg(
    jsonb_strip_nulls(jsonb_build_object(
      'key', q.question -> 'key', 'show_if', q.question -> 'show_if',
      'options', CASE WHEN q.question @? '$.options[*].show_if' THEN q.question -> 'options' END,
      'rows', CASE WHEN q.question @? '$.rows[*].show_if' THEN q.question -> 'rows' END
    )) ORDER BY q.position
  ) END AS asked
  FROM question_set AS s
  CROSS JOIN jsonb_array_elements(s.questions) WITH ORDINALITY AS q (question, position)
  WHERE s.company_id = $1 AND s.campaign_id = $2::bigint AND s.version = $3`;
