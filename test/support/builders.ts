import { newStoredId, printId } from '../../src/platform/database/identifiers';
import type { Client } from './client';

/*
 * Valid requests; a test overrides only the fields that matter to it.
 */

/** Rewards of cohorts 1 to 5, as requests and responses write them. */
export const ladder = (one: number, two: number, three: number, four: number, five: number) => ({
  cohort_1_reward: one,
  cohort_2_reward: two,
  cohort_3_reward: three,
  cohort_4_reward: four,
  cohort_5_reward: five,
});

/** Valid rewards of a campaign that pays 100, other than its first ones. */
export const REWARDS = ladder(4, 5, 6, 7, 100);

/** The post_id of no campaign. It tells nobody a company, as those of the service do. */
export const anyPostId = (): string => printId('post', newStoredId());

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

/** Creates a survey. */
export async function createSurvey(
  api: Client,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; post_id: string }> {
  return (await api.post('/svc/survey/create', survey(fields))).data;
}

/** Creates an advertisement. */
export async function createAdvertisement(
  api: Client,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; post_id: string }> {
  return (await api.post('/svc/advertisement/create', advertisement(fields))).data;
}

/** Distinct images. */
export function images(count: number): { url: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `https://example.com/${index}.png`,
  }));
}

/** An image survey that is valid in every format but `round-robin`. */
export function imageSurvey(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return survey({ question: 'Which one?', images: images(2), ...fields });
}

/** Creates an image survey. */
export async function createImageSurvey(
  api: Client,
  path: 'round-robin' | 'binary' | 'slider',
  fields: Record<string, unknown> = {},
): Promise<{ id: number; post_id: string }> {
  const own = path === 'round-robin' ? { images: images(3), ...fields } : fields;
  return (await api.post(`/svc/image-survey/${path}`, imageSurvey(own))).data;
}
