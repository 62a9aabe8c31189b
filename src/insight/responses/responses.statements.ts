import { boundedPage } from '../../platform/database/bounded-page';

/** About how many bytes a response has besides its answers. */
const ENTRY_BYTES = 500;

/** How many responses one page looks at, whatever its filters leave out of them. */
const LOOK_MAXIMUM = 5_000;

/** How many bytes of answers one page compares with its filter; it always reads one response. */
const COMPARED_BYTES = 16 * 1024 * 1024;

const ORDER = 'closed_at DESC, participation_id DESC';

/**
 * The responses of a campaign ($1, `campaign.id`) after a position ($3, $4) and after a time ($5)
 * that a page may look at.
 */
const NEXT = `
  SELECT p.participation_id, p.closed_at, p.cohort, p.question_set_version, p.attention_score,
    p.state, p.answers, coalesce(octet_length(p.answers), 0) AS size
  FROM participation AS p
  WHERE p.company_id = $1 AND p.campaign_id + 0 = campaign.id
    AND p.state IN ('submitted', 'reversed')
    AND (p.closed_at, p.participation_id) < ($3::timestamptz, $4::uuid)
    AND p.closed_at > $5::timestamptz
  ORDER BY ${ORDER} LIMIT ${LOOK_MAXIMUM}`;

const IN_ORDER = `(ORDER BY p.closed_at DESC, p.participation_id DESC ROWS UNBOUNDED PRECEDING)`;

/**
 * What a page looks at, with the place of each response, and the bytes of answers up to it if the
 * answers are compared.
 */
const looked = (comparesAnswers: boolean) => `
  SELECT p.*, row_number() OVER w AS place,
    ${comparesAnswers ? 'sum(p.size) OVER w' : '0'} AS compared
  FROM (${NEXT}) AS p WINDOW w AS ${IN_ORDER}`;

const HAS_ANSWER = `p.answers::jsonb @> ANY (
  (CASE WHEN campaign.image_survey IS NULL THEN $11::text[] ELSE $12::text[] END)::jsonb[])`;

const FILTERS = `
  ($6::smallint IS NULL OR p.cohort = $6)
  AND ($7::integer IS NULL OR p.question_set_version = $7)
  AND ($8::numeric IS NULL OR p.attention_score >= $8)
  AND ($9::numeric IS NULL OR p.attention_score <= $9)
  AND ($10::boolean IS NULL OR (p.state = 'reversed') = $10)`;

/**
 * One page of a campaign's responses, newest first, measured before the answers themselves are
 * read. A campaign without responses is one row of nulls.
 *
 * The first row has the last response that the page looked at, unless these are all: of a page that
 * is not full, the next one continues there. Both are of one moment, so that what is submitted
 * meanwhile is neither repeated nor missed.
 *
 * @param comparesAnswers whether there are answers of which a response must have one, each as JSON:
 *   $11 for a campaign with questions, $12 for an image survey
 */
export const responsePage = (columns: string, limit: number, comparesAnswers: boolean) => `
  SELECT campaign.id AS campaign, page.found, ${columns}, question_set.question_id,
    participation.answers::json AS answers, reached.closed_at AS reached_at,
    reached.participation_id AS reached_id
  FROM campaign
  LEFT JOIN LATERAL (${boundedPage({
    rows: `
      SELECT p.participation_id, p.closed_at, p.size + ${ENTRY_BYTES} AS bytes
      FROM (${looked(comparesAnswers)}) AS p
      WHERE p.compared - p.size < ${COMPARED_BYTES} AND ${FILTERS}
        ${comparesAnswers ? `AND ${HAS_ANSWER}` : ''}`,
    order: ORDER,
    limit,
  })}) AS page ON true
  LEFT JOIN LATERAL (
    SELECT p.closed_at, p.participation_id FROM (${looked(comparesAnswers)}) AS p
    WHERE (page.position IS NULL OR (page.position = 1 AND page.found <= ${limit}))
      AND (p.place = ${LOOK_MAXIMUM} OR p.compared >= ${COMPARED_BYTES})
    ORDER BY p.place LIMIT 1
  ) AS reached ON true
  LEFT JOIN LATERAL (
    SELECT * FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id = campaign.id
      AND p.participation_id = page.participation_id
    OFFSET 0
  ) AS participation ON true
  LEFT JOIN question_set
    ON question_set.company_id = $1 AND question_set.campaign_id = campaign.id
    AND question_set.version = participation.question_set_version
  WHERE campaign.company_id = $1 AND campaign.post_id = $2
  ORDER BY page.closed_at DESC, page.participation_id DESC`;

/** One response ($3) of a campaign ($2), or no row. */
export const oneResponse = (columns: string) => `
  SELECT ${columns}, question_set.question_id, participation.answers::json AS answers
  FROM campaign
  JOIN LATERAL (
    SELECT * FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id = campaign.id AND p.participation_id = $3
      AND p.state IN ('submitted', 'reversed')
    OFFSET 0
  ) AS participation ON true
  LEFT JOIN question_set
    ON question_set.company_id = $1 AND question_set.campaign_id = campaign.id
    AND question_set.version = participation.question_set_version
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;
