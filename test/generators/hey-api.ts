import type { Generator } from './generator';

/**
 * `@hey-api/openapi-ts` makes a function per operation; the client adds the credential each needs.
 */
export const HEY_API: Generator = {
  name: 'hey-api',
  command: ['@hey-api/openapi-ts/bin/run.js', '--file', 'config.json', '--silent'],
  newerNode: true,
  config: {
    input: 'openapi.json',
    output: { path: 'client', module: { extension: '.js' } },
    logs: { file: false },
  },
  program: `
import { client } from './client/client.gen.js';
import * as api from './client/index.js';
import { baseUrl, company, questions, rewards, survey } from './journey.js';

let token: string | undefined;
let key: string | undefined;
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : key) });
const throwOnError = true;
await api.registerCompany({ body: company, throwOnError });
const { email, password } = company;
const loggedIn = await api.logIn({ body: { email, password }, throwOnError });
token = loggedIn.data.data.access_token;

const refused = await api.listCampaigns();
if (refused.response?.status !== 401) throw new Error(String(refused.response?.status));
const code: api.ErrorCode | undefined = refused.error?.error.code;
// @ts-expect-error: listing campaigns does not respond with it
code === refused.error?.error.code && refused.error?.error.code === 'email_taken';

const generated = await api.generateApiKey({
  body: { scopes: ['campaigns:read', 'campaigns:write'] },
  throwOnError,
});
key = generated.data.data.api_key;
// @ts-expect-error: there is no such scope
void (() => api.generateApiKey({ body: { scopes: ['everything'] } }));

const created = await api.createSurvey({ body: survey, throwOnError });
const post_id: string = created.data.data.post_id;
// @ts-expect-error: the field is called post_id
created.data.data.postId;
// @ts-expect-error: a title is needed
void (() => api.createSurvey({ body: { ...survey, title: undefined } }));

await api.setSurveyQuestions({ body: { post_id, questions }, throwOnError });
const essay = { type: 'essay' as const, question: '?' };
// @ts-expect-error: there is no such type of question
void (() => api.setSurveyQuestions({ body: { post_id, questions: [essay] } }));
const read = await api.getQuestions({ path: { post_id }, throwOnError });
const [first] = read.data.data.questions;
if (first?.type !== 'single_choice') throw new Error('the first question is a choice');
const options: string[] = first.options.map((each) =>
  typeof each === 'string' ? each : each.text,
);
// @ts-expect-error: it is null before the first set
const question_id: string = read.data.data.question_id;

const updated = await api.updateCohortRewards({ body: { post_id, ...rewards }, throwOnError });
const reward: number = updated.data.data.cohort_rewards.cohort_3_reward;
// @ts-expect-error: all five rewards are needed
void (() => api.updateCohortRewards({ body: { post_id, ...rewards, cohort_5_reward: undefined } }));

const toggled = await api.toggleLive({ body: { post_id, is_live: true }, throwOnError });
const is_live: boolean = toggled.data.data.is_live;
const listed = await api.listCampaigns({ query: { type: 'survey', is_live: true }, throwOnError });
const titles: string[] = listed.data.data.items.map(({ title }) => title);
// @ts-expect-error: there is no such type of campaign
void (() => api.listCampaigns({ query: { type: 'poll' } }));
console.log(JSON.stringify({ post_id, options, reward, is_live, titles, code }));
`,
};
