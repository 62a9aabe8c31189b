import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { BackgroundJobs } from '../src/platform/scheduling/background-jobs.service';
import type { ExampleRecorder, Fields } from './example-recorder';
import { unknownId } from './invalid-requests';

/*
 * Records the errors of the examples that have a cause of their own.
 */

type Headers = Record<string, string>;

export const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${String(token)}` });
export const key = (secret: unknown): Headers => ({ 'x-api-key': String(secret) });

/** Errors that depend on stored campaigns. */
export async function recordConflicts(
  api: ExampleRecorder,
  { survey, advertisement, imageSurvey }: Fields,
): Promise<void> {
  api.ids.post_id = survey;
  await api.own('updateCohortRewards', 'cohort_reward_mismatch', { cohort_5_reward: 80 });
  await api.own('updateCampaign', 'nothing_to_update', JSON.stringify({ post_id: survey }));
  const video = { video_url: 'https://example.com/spot.mp4' };
  await api.own('updateCampaign', 'wrong_campaign_type', video);
  await api.own('setSurveyQuestions', 'wrong_campaign_type', { post_id: advertisement });
  await api.own('setSurveyQuestions', 'questions_fixed', { post_id: imageSurvey });
  await api.own('setAdvertisementQuestions', 'wrong_campaign_type');
  await api.prepare('createAdvertisement', { has_feedback: false });
  await api.own('setAdvertisementQuestions', 'feedback_not_enabled');
  await api.own('applyCampaign', 'wrong_campaign_type', { type: 'advertisement' });
  await api.own('applyCampaign', 'currency_mismatch', { currency: 'EUR' });
  await api.own('applyCampaign', 'document_incomplete', {
    external_ref: 'tea-2026',
    description: undefined,
    category: undefined,
    tagline: undefined,
    reward_amount: undefined,
  });
}

/** Errors of a campaign's times and limits. */
export async function recordLimits(api: ExampleRecorder, database: DataSource): Promise<void> {
  await api.prepare('createSurvey', { max_responses: 500, budget: 20_000 });
  await database.query(
    'UPDATE campaign_progress SET taken = 20, answered = 18, held = 200, spent = 1500',
  );
  const times = { starts_at: '2099-01-19T08:00:00Z', ends_at: '2099-01-12T08:00:00Z' };
  await api.own('updateCampaign', 'ends_before_start', times);
  await api.own('updateCampaign', 'max_responses_below_taken', { max_responses: 10 });
  await api.own('updateCampaign', 'budget_below_spent', { budget: 1600 });
  await api.prepare('archiveCampaign');
  await api.own('toggleLive', 'campaign_completed', { is_live: true });
  await api.prepare('createSurvey');
  await database.query(
    'INSERT INTO balance (company_id, is_prepaid) SELECT DISTINCT company_id, true FROM campaign',
  );
  await api.own('toggleLive', 'balance_low', { is_live: true });
  await database.query('UPDATE balance SET is_prepaid = false');
}

/** Errors of the credential. */
export async function recordCredentials(
  recorder: ExampleRecorder,
  account: ExampleRecorder,
  api: ExampleRecorder,
  database: DataSource,
): Promise<void> {
  await recorder.common('createSurvey', 'api_key_missing');
  await recorder.with(key('csk_unknown')).common('createSurvey', 'api_key_invalid');
  for (const [code, column] of [
    ['api_key_expired', 'expires_at'],
    ['api_key_revoked', 'revoked_at'],
  ] as const) {
    const { key_id, api_key } = await account.prepare('generateApiKey', { name: column });
    await database.query(`UPDATE api_key SET ${column} = created_at WHERE key_id = $1`, [key_id]);
    await recorder.with(key(api_key)).common('createSurvey', code);
  }
  const reader = await account.prepare('generateApiKey', { scopes: ['campaigns:read'] });
  await recorder.with(key(reader.api_key)).common('createSurvey', 'insufficient_scope');

  const { access_token } = await recorder.prepare('registerCompany', {
    email: 'other@example.com',
  });
  const other = await recorder.with(bearer(access_token)).prepare('generateApiKey');
  await recorder.with(key(other.api_key)).prepare('createSurvey');
  await api.common('toggleLive', 'campaign_not_owned');
}

/** Errors of requests in general, and errors of the service. */
export async function recordRequests(
  api: ExampleRecorder,
  post_id: unknown,
  database: DataSource,
  jobs: BackgroundJobs,
): Promise<void> {
  await api.common('createSurvey', 'malformed_json', '{ "title": "Coffee habits 2026"');
  await api.common('createSurvey', 'payload_too_large', { title: 'x'.repeat(3_000_000) });
  const text = api.with({ 'content-type': 'text/plain' });
  await text.common('createSurvey', 'unsupported_media_type');
  await api.timeout();
  await api.common('toggleLive', 'campaign_not_found', { post_id: unknownId('post') });
  const matching = api.with({ 'if-match': '"1"' });
  await matching.common('toggleLive', 'version_conflict', { post_id });
  const once = api.with({ 'idempotency-key': 'example' });
  await once.prepare('createSurvey');
  await once.common('createSurvey', 'idempotency_key_reused', { title: 'Another title' });
  // Holds the lock of the key, like a request on another connection.
  await database.query(
    `CREATE FUNCTION public.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql
      AS 'SELECT false'`,
  );
  await database.query('SET search_path = public, pg_catalog');
  const other = api.with({ 'idempotency-key': 'other' });
  await other.common('createSurvey', 'idempotency_in_progress');
  await database.query('RESET search_path');
  await api.commonAtLast('logIn', 'rate_limited');
  await database.query('ALTER TABLE campaign RENAME TO renamed');
  await api.common('createSurvey', 'internal_error');
  await api.success('getLiveness');
  await api.success('getReadiness');
  // A pool that ends forgets what waits for a connection: a job would never end.
  await jobs.beforeApplicationShutdown();
  await database.destroy();
  await api.common('createSurvey', 'service_unavailable');
  // What the service knows of its database is up to half a second old.
  await delay(600);
  await api.own('getReadiness', 'service_unavailable');
}
