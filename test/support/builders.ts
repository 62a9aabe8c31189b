import type { Client } from './client';

/*
 * Requests that are valid as they are; a test states only what matters to it.
 */

export function survey(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: 'Coffee habits',
    description: 'How people drink their coffee.',
    category: 'food',
    tagline: 'Tell us about your cup',
    reward_amount: 100,
    ...fields,
  };
}

export function advertisement(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return survey({ video_url: 'https://example.com/spot.mp4', ...fields });
}

export function question(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'text', question: 'Which beans?', ...fields };
}

export function choice(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return question({ type: 'single_choice', options: ['light', 'dark'], ...fields });
}

/** A survey that is stored. */
export async function createSurvey(
  api: Client,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; post_id: string }> {
  const { status, body } = await api.post('/svc/survey/create', survey(fields));
  expect(status).toBe(200);
  return body.data;
}

/** An advertisement that is stored. */
export async function createAdvertisement(
  api: Client,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; post_id: string }> {
  const { status, body } = await api.post('/svc/advertisement/create', advertisement(fields));
  expect(status).toBe(200);
  return body.data;
}
