import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../src/app.setup';
import { loadEnv } from '../src/platform/config/env';
import { BackgroundJobs } from '../src/platform/scheduling/background-jobs.service';
import type { RecordedExamples } from '../src/platform/openapi/document-content';
import { ExampleRecorder, Fields } from './example-recorder';
import { unknownId } from './invalid-requests';
import {
  bearer,
  key,
  recordConflicts,
  recordCredentials,
  recordLimits,
  recordRequests,
} from './record-errors';
import { recordFielding } from './record-fielding';
import { recordWebhooks } from './record-webhooks';
import { waitUntil } from './wait-until';

/*
 * Records the examples of the OpenAPI document: every operation's success and its typical errors,
 * as a service on a new database returns them.
 */

const GUARDRAILS_MAXIMUM = 10;

/** @returns a recorder with the account token */
async function recordCompany(recorder: ExampleRecorder): Promise<ExampleRecorder> {
  const { access_token } = await recorder.success('registerCompany');
  await recorder.own('registerCompany', 'email_taken');
  await recorder.own('logIn', 'invalid_credentials', { password: 'a wrong password' });
  await recorder.success('logIn');
  const account = recorder.with(bearer(access_token));
  await account.success('getCompany');
  await recorder.common('getCompany', 'token_missing');
  await recorder.with(bearer('not.a.token')).common('getCompany', 'token_invalid');
  return account;
}

async function recordKeys(account: ExampleRecorder): Promise<void> {
  // The error of a list that most operations share.
  await account.common('listApiKeys', 'validation_failed', { limit: 500 });
  await account.common('revokeApiKey', 'api_key_not_found', { key_id: unknownId('key') });
  const { key_id } = await account.success('generateApiKey');
  await account.successes('updateApiKeyLimits', 'getApiKeySpending');
  await account.successes('listApiKeys', 'getApiKeyHistory', 'rotateApiKey');
  await account.success('revokeApiKey', { key_id });
}

async function recordSurvey(api: ExampleRecorder): Promise<unknown> {
  const { post_id } = await api.success('createSurvey');
  await api.successes('setSurveyQuestions', 'getQuestions', 'getQuestionHistory');
  await api.successes('updateCampaign', 'updateCohortRewards', 'toggleLive');
  await api.successes('getCampaign', 'checkLaunch');
  await api.success('getCampaignHistory', { limit: 1 });
  return post_id;
}

async function recordEvents(api: ExampleRecorder, database: DataSource): Promise<void> {
  await waitUntil('every event has its number', async () => {
    const left = await database.query<unknown[]>('SELECT FROM unnumbered_event LIMIT 1');
    return left.length === 0;
  });
  const types = 'campaign.started,campaign.stopped';
  const { items } = await api.success('listEvents', { types, limit: 1 });
  const [{ event_id }] = items as [Fields];
  await api.success('getEvent', { event_id });
  await api.own('listEvents', 'feed_position_unknown', { after: 1000 });
  // As after an archive of the first event.
  await database.query('UPDATE event_sequence SET first_seq = 2');
  await api.own('listEvents', 'feed_position_expired', { after: 0 });
  await database.query('UPDATE event_sequence SET first_seq = 1');
}

async function recordGuardrails(api: ExampleRecorder, post_id: unknown): Promise<void> {
  api.ids.post_id = post_id;
  const { guardrail_id } = await api.success('createGuardrail');
  await api.common('createGuardrail', 'guardrail_name_taken');
  await api.successes('listGuardrails', 'getGuardrail');
  await api.success('backtestGuardrail', { guardrail_id, when: undefined });
  await api.successes('updateGuardrail', 'armGuardrail');
  await api.own('updateGuardrail', 'nothing_to_update', JSON.stringify({ guardrail_id }));
  await api.success('deleteGuardrail');
  const unknown = { guardrail_id: unknownId('grd') };
  await api.common('deleteGuardrail', 'guardrail_not_found', unknown);
  for (let number = 1; number <= GUARDRAILS_MAXIMUM; number += 1) {
    await api.prepare('createGuardrail', { name: `${number}` });
  }
  await api.common('createGuardrail', 'too_many_guardrails');
}

async function recordForecasts(
  account: ExampleRecorder,
  api: ExampleRecorder,
  post_id: unknown,
): Promise<void> {
  api.ids.post_id = post_id;
  await api.own('forecastCampaign', 'respondents_required', { respondents: undefined });
  await api.success('forecastCampaign');
  await api.own('simulateCampaign', 'test_key_required');
  const { api_key } = await account.prepare('generateApiKey', { mode: 'test' });
  const test = account.with(key(api_key));
  await test.prepare('createSurvey');
  await test.prepare('toggleLive', { is_live: true });
  await test.success('simulateCampaign');
}

/** What a key with a spending limit is refused. */
async function recordSpending(account: ExampleRecorder): Promise<void> {
  const spending_limit = { amount: 500, per: 'month' };
  const { api_key } = await account.prepare('generateApiKey', { spending_limit });
  const limited = account.with(key(api_key));
  await limited.prepare('createSurvey');
  await limited.own('toggleLive', 'unbounded_cost', { is_live: true });
  await limited.prepare('createSurvey', { max_responses: 10 });
  await limited.own('toggleLive', 'spending_limit_exceeded', { is_live: true });
}

/** What a key is refused whose larger campaigns need an approval, and how the account decides. */
async function recordApprovals(
  account: ExampleRecorder,
  api: ExampleRecorder,
  database: DataSource,
): Promise<void> {
  const { api_key, key_id } = await account.prepare('generateApiKey', { approval_above: 200 });
  const limited = account.with(key(api_key));
  await limited.prepare('createSurvey', { max_responses: 10 });
  const request = async () => {
    await limited.common('toggleLive', 'approval_required', { is_live: true });
    const { items } = await account.prepare('listApprovals');
    account.ids.approval_id = (items as [Fields])[0].approval_id;
  };
  await request();
  const unknown = { approval_id: unknownId('apr') };
  await account.common('approveRequest', 'approval_not_found', unknown);
  await account.successes('listApprovals', 'getApprovalRequest', 'refuseRequest');
  await limited.success('getApproval');
  await account.common('approveRequest', 'approval_closed');
  await limited.common('toggleLive', 'approval_refused', { is_live: true });
  // Its 72 hours are over, and as many others wait as can.
  await database.query(
    `UPDATE approval SET requested_at = requested_at - interval '80 hours',
      expires_at = expires_at - interval '80 hours'`,
  );
  await database.query(
    `INSERT INTO approval (company_id, approval_id, place, key_id, operation, body, request_hash,
      currency, requested_at, expires_at)
    SELECT a.company_id, gen_random_uuid(), n, a.key_id, a.operation, a.body,
      sha256(n::text::bytea), a.currency, now(), now() + interval '1 hour'
    FROM approval AS a, generate_series(1, 50) AS n`,
  );
  await limited.common('toggleLive', 'too_many_approvals', { is_live: true });
  await database.query("DELETE FROM approval WHERE state = 'pending'");
  await request();
  await api.prepare('updateCampaign');
  await account.own('approveRequest', 'version_conflict');
  await request();
  await account.success('approveRequest');
  await limited.prepare('createSurvey', { max_responses: 10 });
  await request();
  await account.prepare('revokeApiKey', { key_id });
  await account.own('approveRequest', 'approval_key_ended');
}

async function record(app: NestFastifyApplication): Promise<RecordedExamples> {
  const database = app.get(DataSource);
  const recorder = await ExampleRecorder.of(await app.getUrl());
  const account = await recordCompany(recorder);
  await recordKeys(account);
  const { api_key } = await account.prepare('generateApiKey');
  const api = recorder.with(key(api_key));
  const survey = await recordSurvey(api);
  await recordEvents(api, database);
  const { post_id: advertisement } = await api.success('createAdvertisement');
  await api.success('setAdvertisementQuestions');
  await recordWebhooks(api, advertisement);
  const { post_id: imageSurvey } = await api.success('createRoundRobinSurvey');
  await api.successes('createBinarySurvey', 'createImageSliderSurvey');
  await api.successes('previewCohortRewards', 'applyCampaign');
  await api.success('listCampaigns', { limit: 2 });
  await recordGuardrails(api, imageSurvey);
  await recordForecasts(account, api, survey);
  await api.success('duplicateCampaign', { post_id: survey });
  await api.successes('archiveCampaign', 'unarchiveCampaign');
  await recordConflicts(api, { survey, advertisement, imageSurvey });
  await recordLimits(api, database);
  await recordFielding(recorder, api, database);
  await recordSpending(account);
  await recordApprovals(account, api, database);
  await recordCredentials(recorder, account, api, database);
  await recordRequests(api, survey, database, app.get(BackgroundJobs, { strict: false }));
  return recorder.finish();
}

/**
 * Runs the service on the embedded database and records its examples.
 *
 * @param directory an empty or absent directory for the database
 */
export async function recordExamples(directory: string): Promise<RecordedExamples> {
  const env = loadEnv({
    NODE_ENV: 'test',
    DATA_DIR: directory,
    PUBLIC_URL: 'https://campaigns.example.com',
    // The receiver is on this machine, and gets every message twice.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SECONDS: '0',
  });
  const timeouts = { requestTimeout: 300, headersTimeout: 200, timeoutInterval: 50 };
  const app = await createApp(env, pino({ level: 'silent' }), timeouts);
  try {
    await app.listen(0, '127.0.0.1');
    return await record(app);
  } finally {
    await app.close();
  }
}
