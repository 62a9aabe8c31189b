import type { DataSource } from 'typeorm';
import type { Answer, Client, TestCompany } from './client';
import { createSurvey } from './builders';

/** A participation as its beginning returns it. */
export interface Begun {
  post_id: string;
  participation_id: string;
  status: string;
  begun_at: string;
  expires_at: string;
  maximum_reward: number;
  cohort_rewards: Record<string, number>;
  content: Record<string, any>;
}

export type ScoredAnswers = [score: number, answers: unknown[]];

export const begin = (api: Client, post_id: string, respondent_id: string): Promise<Answer> =>
  api.post('/svc/fielding/begin', { post_id, respondent_id });

/** Begins, and expects that there is a place. */
export async function begun(api: Client, postId: string, respondentId: string): Promise<Begun> {
  return (await begin(api, postId, respondentId)).data;
}

export const submit = (
  api: Client,
  { post_id, participation_id }: Pick<Begun, 'post_id' | 'participation_id'>,
  attention_score: number,
  answers: unknown[] = [],
): Promise<Answer> =>
  api.post('/svc/fielding/submit', { post_id, participation_id, attention_score, answers });

/** Submits for a new respondent each, with a score and answers. */
export async function submitAll(
  api: Client,
  postId: string,
  responses: readonly ScoredAnswers[],
): Promise<Begun[]> {
  const parts: Begun[] = [];
  for (const [index, [score, answers]] of responses.entries()) {
    const part = await begun(api, postId, `${postId} ${index}`);
    const { status, body } = await submit(api, part, score, answers);
    expect([status, body.error]).toEqual([200, undefined]);
    parts.push(part);
  }
  return parts;
}

/** Starts a campaign. */
export async function start(api: Client, post_id: string): Promise<void> {
  const { status } = await api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
  expect(status).toBe(200);
}

/** Creates a survey and starts it. */
export async function liveSurvey(
  { api }: Pick<TestCompany, 'api'>,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { post_id } = await createSurvey(api, fields);
  await start(api, post_id);
  return post_id;
}

/** Creates a survey with questions and starts it. */
export async function liveQuestionnaire(
  { api }: Pick<TestCompany, 'api'>,
  questions: readonly unknown[],
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { post_id } = await createSurvey(api, fields);
  const { status } = await api.post('/svc/survey/questions', { post_id, questions });
  expect(status).toBe(200);
  await start(api, post_id);
  return post_id;
}

/** Lets the time of a participation pass. */
export async function expire(
  database: Pick<DataSource, 'query'>,
  participationId: string,
): Promise<void> {
  const [row] = await database.query(
    `SELECT company_id, begun_at - interval '2 hours' AS begun_at,
       expires_at - interval '2 hours' AS expires_at
     FROM participation WHERE participation_id = stored_id($1)`,
    [participationId],
  );
  await database.query(
    `UPDATE participation SET begun_at = $3, expires_at = $4
     WHERE company_id = $1 AND participation_id = stored_id($2)`,
    [row.company_id, participationId, row.begun_at, row.expires_at],
  );
}

/** Expects the ledger to agree with the participations and the counters. */
export async function expectReconciled(api: Client): Promise<{ checked: number }> {
  const answer = await api.get('/svc/ledger/reconcile');
  expectNoDifferences(answer);
  return answer.body.data;
}

/** Expects a comparison of the ledger to have succeeded and to have found nothing. */
export function expectNoDifferences({ status, body }: Answer): void {
  expect([status, body.error, body.data?.differences]).toEqual([200, undefined, []]);
}

/** The quality of a response that no signal can be calculated for. */
export const NO_QUALITY = {
  answer_percentile: null,
  longest_run: null,
  compared_answers: null,
  consistency: null,
  text_repeats: null,
  flags: [],
};

/** The counters of a campaign that nobody has begun. */
export const NO_PROGRESS = {
  begun: 0,
  open: 0,
  submitted: 0,
  reversed: 0,
  abandoned: 0,
  expired: 0,
  screened_out: 0,
  spent: 0,
  screen_out_spent: 0,
  bonus_spent: 0,
  disputed: 0,
  held: 0,
};
