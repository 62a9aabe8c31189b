import type { Generator } from './generator';

/**
 * It makes a Zodios client, which checks requests, responses and errors with zod as it runs. It
 * does not read `const`, so an error has any code of the list, not only those of its operation.
 */
export const OPENAPI_ZOD_CLIENT: Generator = {
  name: 'openapi-zod-client',
  command: ['openapi-zod-client/bin.js', 'openapi.json', '--output', 'client.ts'],
  program: `
import { isErrorFromAlias, ZodiosError } from '@zodios/core';
import { createApiClient } from './client.js';
import { baseUrl, company, questions, rewards, survey } from './journey.js';

const api = createApiClient(baseUrl);
await api.registerCompany(company);
const loggedIn = await api.logIn({ email: company.email, password: company.password });
const token: string = loggedIn.data.access_token;
const bearer = { headers: { authorization: \`Bearer \${token}\` } };
const generated = await api.generateApiKey({ scopes: ['campaigns:read', 'campaigns:write'] }, bearer);
const key = { headers: { 'x-api-key': generated.data.api_key } };
// @ts-expect-error: there is no such scope
void (() => api.generateApiKey({ scopes: ['everything'] }, bearer));

const created = await api.createSurvey(survey, key);
const post_id: string = created.data.post_id;
// @ts-expect-error: the field is a string
const postId: number = created.data.post_id;
// @ts-expect-error: a title is needed
void (() => api.createSurvey({ ...survey, title: undefined }, key));
const invalid: unknown = await api.createSurvey({ ...survey, reward_amount: 0.5 }, key).catch((e) => e);
if (!(invalid instanceof ZodiosError)) throw new Error('the client checks the reward');

await api.setSurveyQuestions({ post_id, questions }, key);
// @ts-expect-error: there is no such type of question
void (() => api.setSurveyQuestions({ post_id, questions: [{ type: 'essay', question: '?' }] }, key));
const read = await api.getQuestions({ params: { post_id }, ...key });
const [first] = read.data.questions;
if (first?.type !== 'single_choice') throw new Error('the first question is a choice');
const options: string[] = first.options;
// @ts-expect-error: it is null before the first set
const question_id: string = read.data.question_id;

const updated = await api.updateCohortRewards({ post_id, ...rewards }, key);
const reward: number = updated.data.cohort_rewards.cohort_3_reward;
// @ts-expect-error: all five rewards are needed
void (() => api.updateCohortRewards({ post_id, ...rewards, cohort_5_reward: undefined }, key));

const toggled = await api.toggleLive({ post_id, is_live: true }, key);
const is_live: boolean = toggled.data.is_live;
const listed = await api.listCampaigns({ queries: { type: 'survey', is_live: true }, ...key });
const titles: string[] = listed.data.items.map(({ title }) => title);
// @ts-expect-error: there is no such type of campaign
void (() => api.listCampaigns({ queries: { type: 'poll' }, ...key }));

const refused: unknown = await api.listCampaigns().catch((error: unknown) => error);
if (!isErrorFromAlias(api.api, 'listCampaigns', refused)) throw refused;
const { response } = refused;
if (response.status !== 401) throw new Error(String(response.status));
const { code } = response.data.error;
// @ts-expect-error: there is no such code
code === 'no_such_code';
console.log(JSON.stringify({ post_id, options, reward, is_live, titles, code }));
`,
};
