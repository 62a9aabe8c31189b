import type { Answer, Client, TestCompany } from './client';
import { createSurvey } from './builders';
import { start } from './fielding';

/** What most tests know of respondents. */
export const ATTRIBUTES = [
  { name: 'gender', type: 'select', values: ['female', 'male', 'other'] },
  { name: 'age', type: 'number' },
];

export const quota = (name: string, when: Record<string, unknown[]>, limit: number) => ({
  name,
  when,
  limit,
});

export const WOMEN = { gender: ['female'] };
export const MEN = { gender: ['male'] };

/** Valid rules; a test overrides only what matters to it. */
export const targeting = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  attributes: ATTRIBUTES,
  ...fields,
});

/** Replaces the rules of a campaign. */
export const setTargeting = (
  api: Client,
  post_id: string,
  fields: Record<string, unknown> = {},
): Promise<Answer> => api.post('/svc/campaign/targeting', { post_id, ...targeting(fields) });

/** Creates a survey with rules and starts it. */
export async function targetedSurvey(
  { api }: Pick<TestCompany, 'api'>,
  rules: Record<string, unknown>,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { post_id } = await createSurvey(api, fields);
  const { status, body } = await setTargeting(api, post_id, rules);
  expect([status, body.error]).toEqual([200, undefined]);
  await start(api, post_id);
  return post_id;
}

export const beginAs = (
  api: Client,
  post_id: string,
  respondent_id: string,
  attributes: Record<string, unknown>,
): Promise<Answer> => api.post('/svc/fielding/begin', { post_id, respondent_id, attributes });

/** The counts of each quota, as `name: [taken, submitted, remaining]`. */
export async function countsOf(api: Client, postId: string): Promise<Record<string, number[]>> {
  const { quotas } = (await api.get(`/svc/campaign/${postId}/quotas`)).data;
  return Object.fromEntries(
    quotas.map(({ name, taken, submitted, remaining }: Record<string, any>) => [
      name,
      [taken, submitted, remaining],
    ]),
  );
}
