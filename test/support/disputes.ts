import type { DataSource } from 'typeorm';
import type { Answer, Client, TestCompany } from './client';
import { Begun, begun, liveSurvey, submit } from './fielding';
import { earlier } from './earlier';
import { tamper } from './tampering';

/** What a campaign states whose responses can all be disputed. */
export const ALL_DISPUTABLE = { review_days: 7, maximum_dispute_share: 1 };

type Named = Pick<Begun, 'participation_id'>;

/** Lets a respondent answer a campaign, by default with the score that earns the largest reward. */
export async function responseTo(
  platform: Client,
  postId: string,
  respondent: string,
  score = 9,
): Promise<Begun> {
  const part = await begun(platform, postId, respondent);
  const { status, body } = await submit(platform, part, score);
  expect([status, body.error]).toEqual([200, undefined]);
  return part;
}

/** A live survey with one response. */
export async function answeredSurvey(
  company: Pick<TestCompany, 'api'>,
  platform: Client,
  fields: Record<string, unknown> = {},
): Promise<Begun> {
  return responseTo(platform, await liveSurvey(company, fields), 'ann');
}

export const payBonus = (
  api: Client,
  { participation_id }: Named,
  amount: unknown,
  bonus_ref: unknown,
): Promise<Answer> => api.post('/svc/response/bonus', { participation_id, amount, bonus_ref });

export const openDispute = (
  api: Client,
  { participation_id }: Named,
  reason = 'Random answers',
): Promise<Answer> => api.post('/svc/response/dispute', { participation_id, reason });

export const decideDispute = (
  platform: Client,
  { post_id, participation_id }: Pick<Begun, 'post_id' | 'participation_id'>,
  is_accepted: boolean,
  note?: string,
): Promise<Answer> =>
  platform.post('/svc/fielding/decide-dispute', {
    post_id,
    participation_id,
    is_accepted,
    ...(note !== undefined && { note }),
  });

export const reversePart = (
  platform: Client,
  { post_id, participation_id }: Pick<Begun, 'post_id' | 'participation_id'>,
): Promise<Answer> =>
  platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Too fast' });

export const eraseRespondent = (platform: Client, respondent_id: string): Promise<Answer> =>
  platform.post('/svc/fielding/erase-respondent', { respondent_id });

export const progressOf = async (api: Client, postId: string): Promise<Record<string, number>> =>
  (await api.get(`/svc/campaign/${postId}`)).data.progress;

/** So many days ($2). */
const DAYS = `$2 * interval '24 hours'`;

/** Moves a submission so many days into the past. */
export const ageResponse = (
  dataSource: DataSource,
  { participation_id }: Named,
  days: number,
): Promise<unknown> =>
  tamper(dataSource, (session) =>
    session.query(
      `UPDATE participation SET ${earlier(DAYS, 'begun_at', 'expires_at', 'closed_at')}
       WHERE participation_id = stored_id($1)`,
      [participation_id, days],
    ),
  );

/** Moves a dispute so many days into the past. */
export const ageDispute = (
  dataSource: DataSource,
  { participation_id }: Named,
  days: number,
): Promise<unknown> =>
  tamper(dataSource, (session) =>
    session.query(
      `UPDATE dispute SET ${earlier(DAYS, 'opened_at', 'lapses_at')}
       WHERE participation_id = stored_id($1)`,
      [participation_id, days],
    ),
  );
