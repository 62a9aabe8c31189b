import type { Generator } from './generator';

/** It makes a function per operation; the status tells its responses apart. */
export const OAZAPFTS: Generator = {
  name: 'oazapfts',
  command: ['oazapfts/dist/cli.js', 'openapi.json', 'client.ts'],
  program: `
import * as api from './client.js';
import { baseUrl, company, questions, rewards, survey } from './journey.js';

api.defaults.baseUrl = baseUrl;
const registered = await api.registerCompany(company);
if (registered.status !== 200) throw new Error(registered.data.error.code);
const loggedIn = await api.logIn({ email: company.email, password: company.password });
if (loggedIn.status !== 200) throw new Error(loggedIn.data.error.code);
const token: string = loggedIn.data.data.access_token;
const bearer = { headers: { authorization: \`Bearer \${token}\` } };
const generated = await api.generateApiKey(
  { scopes: ['campaigns:read', 'campaigns:write'] },
  {},
  bearer,
);
if (generated.status !== 200) throw new Error(generated.data.error.code);
const key = { headers: { 'x-api-key': generated.data.data.api_key } };
// @ts-expect-error: there is no such scope
void (() => api.generateApiKey({ scopes: ['everything'] }, {}, bearer));

const created = await api.createSurvey(survey, {}, key);
if (created.status !== 200) throw new Error(created.data.error.code);
const post_id: string = created.data.data.post_id;
// @ts-expect-error: the field is called post_id
created.data.data.postId;
// @ts-expect-error: a title is needed
void (() => api.createSurvey({ ...survey, title: undefined }));

const set = await api.setSurveyQuestions({ post_id, questions }, {}, key);
if (set.status !== 200) throw new Error(set.data.error.code);
// @ts-expect-error: there is no such type of question
void (() => api.setSurveyQuestions({ post_id, questions: [{ type: 'essay', question: '?' }] }));
const read = await api.getQuestions(post_id, key);
if (read.status !== 200) throw new Error(read.data.error.code);
const [first] = read.data.data.questions;
if (first?.type !== 'single_choice') throw new Error('the first question is a choice');
const options: string[] = first.options.map((each) =>
  typeof each === 'string' ? each : each.text,
);
// @ts-expect-error: it is null before the first set
const question_id: string = read.data.data.question_id;

const updated = await api.updateCohortRewards({ post_id, ...rewards }, {}, key);
if (updated.status !== 200) throw new Error(updated.data.error.code);
const reward: number = updated.data.data.cohort_rewards.cohort_3_reward;
// @ts-expect-error: all five rewards are needed
void (() => api.updateCohortRewards({ post_id, ...rewards, cohort_5_reward: undefined }));

const toggled = await api.toggleLive({ post_id, is_live: true }, {}, key);
if (toggled.status !== 200) throw new Error(toggled.data.error.code);
const is_live: boolean = toggled.data.data.is_live;
const listed = await api.listCampaigns({ $type: 'survey', isLive: true }, key);
if (listed.status !== 200) throw new Error(listed.data.error.code);
const titles: string[] = listed.data.data.items.map(({ title }) => title);
// @ts-expect-error: there is no such type of campaign
void (() => api.listCampaigns({ $type: 'poll' }));

const refused = await api.listCampaigns();
if (refused.status !== 401) throw new Error(String(refused.status));
const code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired' | 'api_key_revoked' =
  refused.data.error.code;
console.log(JSON.stringify({ post_id, options, reward, is_live, titles, code }));
`,
};
