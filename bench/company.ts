import { randomBytes } from 'node:crypto';
import type { Server } from './processes';

const SURVEY = {
  title: 'Forecast',
  description: 'What it will cost.',
  category: 'bench',
  tagline: 'A forecast',
  reward_amount: 100,
};

const QUESTIONS = [
  { type: 'single_choice', question: 'How?', options: ['So', 'Otherwise'] },
  { type: 'text', question: 'Why?' },
];

/** A company with a test key, and a live campaign. */
export interface Company {
  server: Server;
  headers: Record<string, string>;
  postId: string;
}

/** @throws if the service refuses the request */
export async function send<T>(
  { server, headers }: Pick<Company, 'server' | 'headers'>,
  path: string,
  body?: object,
  method = 'POST',
): Promise<T> {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as { data: T; message: string };
  if (response.status !== 200) {
    throw new Error(`${path} returned ${response.status}: ${message}`);
  }
  return data;
}

/** @param fields of the survey besides its texts */
export async function makeCompany(
  server: Server,
  fields: object = {},
  questions: object[] = QUESTIONS,
): Promise<Company> {
  const name = randomBytes(8).toString('hex');
  const account = { name, email: `${name}@example.com`, password: 'correct horse battery staple' };
  const registered = await send<{ access_token: string }>(
    { server, headers: {} },
    '/api/company/create',
    account,
  );
  const authorization = `Bearer ${registered.access_token}`;
  const { api_key } = await send<{ api_key: string }>(
    { server, headers: { authorization } },
    '/svc/api-key/generate',
    { mode: 'test' },
  );
  const caller = { server, headers: { 'x-api-key': api_key } };
  const { post_id: postId } = await send<{ post_id: string }>(caller, '/svc/survey/create', {
    ...SURVEY,
    ...fields,
  });
  await send(caller, '/svc/survey/questions', { post_id: postId, questions });
  const live = { post_id: postId, is_live: true };
  await send(caller, '/svc/campaign/toggle-live', live, 'PATCH');
  return { ...caller, postId };
}

export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
