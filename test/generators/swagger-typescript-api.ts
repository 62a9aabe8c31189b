import type { Generator } from './generator';

/**
 * It makes a class whose calls throw unless they succeed; what they throw is typed only by hand.
 */
export const SWAGGER_TYPESCRIPT_API: Generator = {
  name: 'swagger-typescript-api',
  command: [
    'swagger-typescript-api/dist/cli.mjs',
    ...['generate', '--silent', '--path', 'openapi.json', '--output', '.', '--name', 'client.ts'],
    // Its enums are not assignable to the codes that an operation narrows them to.
    '--enum-style=union',
  ],
  program: `
import { Api, type ErrorCode } from './client.js';
import { baseUrl, company, questions, rewards, survey } from './journey.js';

const { api, svc } = new Api({ baseUrl });
await api.registerCompany(company);
const loggedIn = await api.logIn({ email: company.email, password: company.password });
const token: string = loggedIn.data.data.access_token;
const bearer = { headers: { authorization: \`Bearer \${token}\` } };
const generated = await svc.generateApiKey({ scopes: ['campaigns:read', 'campaigns:write'] }, bearer);
const key = { headers: { 'x-api-key': generated.data.data.api_key } };
// @ts-expect-error: there is no such scope
void (() => svc.generateApiKey({ scopes: ['everything'] }, bearer));

const created = await svc.createSurvey(survey, key);
const post_id: string = created.data.data.post_id;
// @ts-expect-error: the field is called post_id
created.data.data.postId;
// @ts-expect-error: a title is needed
void (() => svc.createSurvey({ ...survey, title: undefined }, key));

await svc.setSurveyQuestions({ post_id, questions }, key);
// @ts-expect-error: there is no such type of question
void (() => svc.setSurveyQuestions({ post_id, questions: [{ type: 'essay', question: '?' }] }, key));
const read = await svc.getQuestions(post_id, key);
const [first] = read.data.data.questions;
if (first?.type !== 'single_choice') throw new Error('the first question is a choice');
const options: string[] = first.options.map((each) =>
  typeof each === 'string' ? each : each.text,
);
// @ts-expect-error: it is null before the first set
const question_id: string = read.data.data.question_id;

const updated = await svc.updateCohortRewards({ post_id, ...rewards }, key);
const reward: number = updated.data.data.cohort_rewards.cohort_3_reward;
// @ts-expect-error: all five rewards are needed
void (() => svc.updateCohortRewards({ post_id, ...rewards, cohort_5_reward: undefined }, key));

const toggled = await svc.toggleLive({ post_id, is_live: true }, key);
const is_live: boolean = toggled.data.data.is_live;
const listed = await svc.listCampaigns({ type: 'survey', is_live: true }, key);
const titles: string[] = listed.data.data.items.map(({ title }) => title);
// @ts-expect-error: there is no such type of campaign
void (() => svc.listCampaigns({ type: 'poll' }, key));

const refused = await svc.listCampaigns().catch((answer: typeof listed) => answer);
if (refused.status !== 401) throw new Error(String(refused.status));
const code: ErrorCode | undefined = refused.error?.error.code;
// @ts-expect-error: there is no such code
code === 'no_such_code';
console.log(JSON.stringify({ post_id, options, reward, is_live, titles, code }));
`,
};
