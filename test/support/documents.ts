import { randomUUID } from 'node:crypto';
import { advertisement, choice, images, ladder, question, survey } from './builders';
import type { Client, TestCompany } from './client';
import { service } from './service';

export type Fields = Record<string, unknown>;

export const COHORT_REWARDS = ladder(5, 35.5, 55, 75, 100);

/** A document of every kind of campaign, each with every field of its kind. */
export const DOCUMENTS = {
  questionnaire: survey({
    type: 'survey',
    format: 'questionnaire',
    content_url: 'https://example.com/',
    cohort_rewards: COHORT_REWARDS,
    questions: [question(), choice()],
    is_live: true,
  }),
  advertisement: advertisement({
    type: 'advertisement',
    thumbnail_url: 'https://example.com/spot.jpg',
    duration_seconds: 30,
    has_feedback: true,
    questions: [question({ type: 'descriptive' })],
    is_live: false,
    starts_at: '2099-01-01T09:00:00.000Z',
    ends_at: '2099-02-01T09:00:00.000Z',
    max_responses: 500,
    budget: 40000.5,
  }),
  round_robin: survey({
    type: 'survey',
    format: 'round_robin',
    question: 'Which one?',
    images: images(3),
  }),
  binary: survey({
    type: 'survey',
    format: 'binary',
    question: 'This or that?',
    images: [
      { url: 'https://example.com/a.png', label: 'A' },
      { url: 'https://example.com/b.png', label: 'B' },
    ],
  }),
  image_slider: survey({
    type: 'survey',
    format: 'image_slider',
    question: 'How much?',
    images: images(1),
    scale: { min: -5, max: 5, step: 0.5, min_label: 'less', max_label: 'more' },
  }),
} satisfies Record<string, Fields>;

/** Returns a reference that is unique to a document. */
export const newRef = (): string => `ref-${randomUUID()}`;

export const apply = (api: Client, document: Fields) => api.put('/svc/campaign/apply', document);

/** Applies a valid document and returns the result. */
export async function applied(api: Client, document: Fields): Promise<Fields> {
  const { status, body } = await apply(api, document);
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
  return body.data as Fields;
}

/**
 * Returns every stored row of a company's campaigns and question sets, with the transaction that
 * wrote it.
 */
export function storedRows({ companyId }: TestCompany): Promise<unknown[]> {
  return service.dataSource.query(
    `SELECT campaign.xmin::text AS "by", to_jsonb(campaign) AS row
     FROM campaign WHERE company_id = stored_id($1)
     UNION ALL SELECT question_set.xmin::text, to_jsonb(question_set)
     FROM question_set WHERE company_id = stored_id($1)
     ORDER BY 1, 2`,
    [companyId],
  );
}
