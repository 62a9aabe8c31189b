import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { ErrorCode } from '../src/http/error-codes';
import { Call, ExampleRecorder, Fields } from './example-recorder';

/*
 * Records the errors of the examples, apart from the invalid requests of each operation.
 */

export type Headers = Record<string, string>;

/** What records with the credentials of a company. */
export interface Company {
  account: ExampleRecorder;
  api: ExampleRecorder;
}

/** Campaigns of the company. */
export interface Campaigns {
  survey: unknown;
  advertisement: unknown;
  imageSurvey: unknown;
}

export const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${String(token)}` });
export const key = (secret: unknown): Headers => ({ 'x-api-key': String(secret) });

/** An identifier of a kind that belongs to nothing. */
export const unknownId = (kind: string): string => `${kind}_01k9x2v8zdf3xbz0q4v5rk6t7z`;

/** Errors that depend on stored data. */
export async function recordConflicts(
  recorder: ExampleRecorder,
  { survey, advertisement, imageSurvey }: Campaigns,
): Promise<void> {
  const refused = (id: string, code: ErrorCode, body: Fields) => recorder.own(id, code, { body });
  await refused('updateCohortRewards', 'cohort_reward_mismatch', {
    post_id: survey,
    cohort_5_reward: 80,
  });
  await recorder.own('updateCampaign', 'nothing_to_update', {
    body: JSON.stringify({ post_id: survey }),
  });
  await refused('updateCampaign', 'wrong_campaign_type', {
    post_id: survey,
    video_url: 'https://example.com/spot.mp4',
  });
  await refused('setSurveyQuestions', 'wrong_campaign_type', { post_id: advertisement });
  await refused('setSurveyQuestions', 'questions_fixed', { post_id: imageSurvey });
  await refused('setAdvertisementQuestions', 'wrong_campaign_type', { post_id: survey });
  const silent = await recorder.prepare('createAdvertisement', { body: { has_feedback: false } });
  await refused('setAdvertisementQuestions', 'feedback_not_enabled', { post_id: silent.post_id });
  await refused('applyCampaign', 'wrong_campaign_type', { type: 'advertisement' });
  await refused('applyCampaign', 'currency_mismatch', { currency: 'EUR' });
  await recorder.own('applyCampaign', 'document_incomplete', {
    body: JSON.stringify({ external_ref: 'tea-2026', type: 'survey', title: 'Tea habits' }),
  });
}

/** Errors of a campaign's times and limits. */
export async function recordLimits(recorder: ExampleRecorder, database: DataSource): Promise<void> {
  const { post_id } = await recorder.prepare('createSurvey', {
    body: { max_responses: 500, budget: 20_000 },
  });
  await database.query(
    'UPDATE campaign_progress SET taken = 20, answered = 18, held = 200, spent = 1500',
  );
  const refused = (id: string, code: ErrorCode, body: Fields) =>
    recorder.own(id, code, { body: JSON.stringify({ post_id, ...body }) });
  const times = { starts_at: '2099-01-19T08:00:00Z', ends_at: '2099-01-12T08:00:00Z' };
  await refused('updateCampaign', 'ends_before_start', times);
  await refused('updateCampaign', 'max_responses_below_taken', { max_responses: 10 });
  await refused('updateCampaign', 'budget_below_spent', { budget: 1600 });
  await recorder.prepare('archiveCampaign', { body: { post_id } });
  await refused('toggleLive', 'campaign_completed', { is_live: true });
}

/** Errors of the credential. */
export async function recordCredentials(
  recorder: ExampleRecorder,
  { account, api }: Company,
  database: DataSource,
): Promise<void> {
  const create = (code: ErrorCode, headers: Headers) =>
    recorder.with(headers).common(code, 'createSurvey');
  const generate = (body: Fields) => account.prepare('generateApiKey', { body });

  await create('api_key_missing', {});
  await create('api_key_invalid', key('csk_unknown'));
  for (const [code, column] of [
    ['api_key_expired', 'expires_at'],
    ['api_key_revoked', 'revoked_at'],
  ] as const) {
    const { key_id, api_key } = await generate({ name: column });
    await database.query(`UPDATE api_key SET ${column} = created_at WHERE key_id = $1`, [key_id]);
    await create(code, key(api_key));
  }
  const reader = await generate({ scopes: ['campaigns:read'] });
  await create('insufficient_scope', key(reader.api_key));

  const { access_token } = await recorder.prepare('registerCompany', {
    body: { email: 'other@example.com' },
  });
  const other = await recorder.with(bearer(access_token)).prepare('generateApiKey');
  const { post_id } = await recorder.with(key(other.api_key)).prepare('createSurvey');
  await api.common('campaign_not_owned', 'toggleLive', { body: { post_id } });
}

/** Errors of requests in general, and errors of the service. */
export async function recordRequests(
  recorder: ExampleRecorder,
  survey: unknown,
  database: DataSource,
): Promise<void> {
  const create = (code: ErrorCode, call?: Call) => recorder.common(code, 'createSurvey', call);
  await create('malformed_json', { body: '{ "title": "Coffee habits 2026"' });
  await create('payload_too_large', { body: `{ "title": "${'x'.repeat(3_000_000)}" }` });
  await create('unsupported_media_type', {
    headers: { 'content-type': 'text/plain' },
    body: 'title',
  });
  await recorder.timeout();
  await recorder.common('campaign_not_found', 'toggleLive', {
    body: { post_id: unknownId('post') },
  });
  await recorder.common('version_conflict', 'toggleLive', {
    headers: { 'if-match': '"1"' },
    body: { post_id: survey },
  });
  const once = { headers: { 'idempotency-key': 'example' } };
  await recorder.prepare('createSurvey', once);
  await create('idempotency_key_reused', { ...once, body: { title: 'Another title' } });
  // Holds the lock of the key, like a request on another connection.
  await database.query(
    `CREATE FUNCTION public.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql
      AS 'SELECT false'`,
  );
  await database.query('SET search_path = public, pg_catalog');
  await create('idempotency_in_progress', { headers: { 'idempotency-key': 'other' } });
  await database.query('RESET search_path');
  await recorder.commonAtLast('rate_limited', 'logIn', { body: { password: 'wrong' } });
  await database.query('ALTER TABLE campaign RENAME TO renamed');
  await create('internal_error');
  await recorder.success('getLiveness');
  await recorder.success('getReadiness');
  await database.destroy();
  await create('service_unavailable');
  // What the service knows of its database is up to half a second old.
  await delay(600);
  await recorder.own('getReadiness', 'service_unavailable');
}
