/*
 * A client's program for each generator: it registers a company, generates a key, creates a survey,
 * is refused once, and prints what it was answered. The annotations and the expected errors have the
 * compiler say that the client's types are the document's, not `any`.
 */

const PREAMBLE = `
declare const process: { argv: string[] };
const [, , baseUrl = '', email = ''] = process.argv;
const company = { name: 'A Company', email, password: 'a long enough password' };
const survey = { title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100 };
`;

/** For what \`swagger-typescript-api\` makes: a class, whose calls throw what is not a success. */
export const SWAGGER_TYPESCRIPT_API = `
import { Api, type ErrorCode } from './client.js';
${PREAMBLE}
const bearer = (token: string) => ({ headers: { authorization: \`Bearer \${token}\` } });
const api = new Api({ baseUrl });
const registered = await api.api.registerCompany(company);
const token: string = registered.data.data.access_token;
const generated = await api.svc.generateApiKey({}, bearer(token));
const key: string = generated.data.data.api_key;

const created = await api.svc.createSurvey(survey, { headers: { 'x-api-key': key } });
const { post_id, is_live }: { post_id: string; is_live: boolean } = created.data.data;
// @ts-expect-error: the field is called post_id
created.data.data.postId;
// @ts-expect-error: a title is needed
void (() => api.svc.createSurvey({ ...survey, title: undefined }));

const refused = await api.svc.createSurvey(survey).catch((answer: typeof created) => answer);
const code: ErrorCode | undefined = refused.error?.error.code;
console.log(JSON.stringify({ post_id, is_live, code }));
`;

/** For what \`oazapfts\` makes: a function for each operation, whose answer is told by its status. */
export const OAZAPFTS = `
import * as api from './client.js';
${PREAMBLE}
api.defaults.baseUrl = baseUrl;
const registered = await api.registerCompany(company);
if (registered.status !== 200) throw new Error(registered.data.error.code);
const token: string = registered.data.data.access_token;
const bearer = { headers: { authorization: \`Bearer \${token}\` } };
const generated = await api.generateApiKey({}, {}, bearer);
if (generated.status !== 200) throw new Error(generated.data.error.code);
const key: string = generated.data.data.api_key;

const created = await api.createSurvey(survey, {}, { headers: { 'x-api-key': key } });
if (created.status !== 200) throw new Error(created.data.error.code);
const { post_id, is_live }: { post_id: string; is_live: boolean } = created.data.data;
// @ts-expect-error: the field is called post_id
created.data.data.postId;
// @ts-expect-error: a title is needed
void (() => api.createSurvey({ ...survey, title: undefined }));

const refused = await api.createSurvey(survey);
if (refused.status !== 401) throw new Error(String(refused.status));
const code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired' | 'api_key_revoked' =
  refused.data.error.code;
console.log(JSON.stringify({ post_id, is_live, code }));
`;
