import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { RecordedExamples } from '../src/openapi/document-content';
import { ExampleRecorder, withService } from './example-recorder';
import {
  bearer,
  key,
  recordConflicts,
  recordCredentials,
  recordLimits,
  recordRequests,
  unknownId,
} from './record-errors';
import { recordFielding } from './record-fielding';
import { recordGuardrails } from './record-guardrails';
import { recordWebhooks } from './record-webhooks';

/*
 * Records the examples of the OpenAPI document: every operation's success and its typical errors,
 * as a service on a new database returns them.
 */

/** @returns a recorder with the account token */
async function recordCompany(recorder: ExampleRecorder): Promise<ExampleRecorder> {
  const { access_token } = await recorder.success('registerCompany');
  await recorder.own('registerCompany', 'email_taken');
  await recorder.own('registerCompany', 'validation_failed', { body: { password: 'too short' } });
  await recorder.own('logIn', 'invalid_credentials', { body: { password: 'a wrong password' } });
  await recorder.own('logIn', 'validation_failed', { body: { email: 'research' } });
  await recorder.success('logIn');
  const account = recorder.with(bearer(access_token));
  await account.success('getCompany');
  await recorder.common('token_missing', 'getCompany');
  await recorder.with(bearer('not.a.token')).common('token_invalid', 'getCompany');
  return account;
}

async function recordKeys(recorder: ExampleRecorder) {
  // The error of a list that most operations share.
  await recorder.common('validation_failed', 'listApiKeys', { query: '?limit=500' });
  await recorder.common('api_key_not_found', 'revokeApiKey', {
    body: { key_id: unknownId('key') },
  });
  await recorder.own('generateApiKey', 'validation_failed', {
    body: { scopes: ['campaigns:delete'] },
  });
  const { key_id } = await recorder.success('generateApiKey');
  await recorder.success('listApiKeys');
  const path = { key_id: String(key_id) };
  await recorder.success('getApiKeyHistory', { path });
  await recorder.own('rotateApiKey', 'validation_failed', {
    body: { key_id, overlap_seconds: 100_000 },
  });
  await recorder.success('rotateApiKey', { body: { key_id } });
  await recorder.own('revokeApiKey', 'validation_failed', { body: { key_id: undefined } });
  await recorder.success('revokeApiKey', { body: { key_id } });
}

async function recordSurvey(recorder: ExampleRecorder) {
  await recorder.own('createSurvey', 'validation_failed', {
    body: { tagline: undefined, reward_amount: 99.5 },
  });
  const { post_id } = await recorder.success('createSurvey');
  const body = { post_id };
  const path = { post_id: String(post_id) };
  await recorder.own('setSurveyQuestions', 'validation_failed', {
    body: { post_id, questions: [{ type: 'single_choice', question: 'Milk?', options: ['Yes'] }] },
  });
  await recorder.success('setSurveyQuestions', { body });
  await recorder.success('getQuestions', { path });
  await recorder.success('getQuestionHistory', { path });
  await recorder.own('updateCampaign', 'validation_failed', {
    body: { post_id, reward_amount: 0 },
  });
  await recorder.success('updateCampaign', { body });
  await recorder.own('updateCohortRewards', 'validation_failed', {
    body: { post_id, cohort_1_reward: 2 },
  });
  await recorder.success('updateCohortRewards', { body });
  await recorder.own('toggleLive', 'validation_failed', { body: { post_id, is_live: 'true' } });
  await recorder.success('toggleLive', { body });
  await recorder.success('getCampaign', { path });
  for (const id of ['getCampaign', 'getQuestions', 'checkLaunch']) {
    const tooLong = { post_id: `post_${'0'.repeat(100)}` };
    await recorder.own(id, 'validation_failed', { path: tooLong });
  }
  await recorder.success('getCampaignHistory', { path, query: '?limit=1' });
  return post_id;
}

async function recordEvents(recorder: ExampleRecorder, database: DataSource) {
  const invalid = '?limit=5000';
  await recorder.own('listEvents', 'validation_failed', { query: invalid });
  while ((await database.query<unknown[]>('SELECT FROM event WHERE seq IS NULL LIMIT 1')).length) {
    await delay(20);
  }
  const query = '?types=campaign.started,campaign.stopped&limit=1';
  await recorder.success('listEvents', { query });
  await recorder.own('listEvents', 'feed_position_unknown', { query: '?after=1000' });
  // As after an archive of the first event.
  await database.query('UPDATE event_sequence SET first_seq = 2');
  await recorder.own('listEvents', 'feed_position_expired', { query: '?after=0' });
  await database.query('UPDATE event_sequence SET first_seq = 1');
}

async function recordAdvertisement(recorder: ExampleRecorder) {
  await recorder.own('createAdvertisement', 'validation_failed', {
    body: { video_url: 'spot.mp4' },
  });
  const { post_id } = await recorder.success('createAdvertisement');
  await recorder.own('setAdvertisementQuestions', 'validation_failed', {
    body: { post_id, questions: [] },
  });
  await recorder.success('setAdvertisementQuestions', { body: { post_id } });
  return post_id;
}

async function recordImageSurveys(recorder: ExampleRecorder) {
  const images = [{ url: 'https://example.com/a.png' }];
  await recorder.own('createRoundRobinSurvey', 'validation_failed', { body: { images } });
  await recorder.own('createBinarySurvey', 'validation_failed', { body: { images } });
  await recorder.own('createImageSliderSurvey', 'validation_failed', {
    body: { scale: { min: 0, max: 10, step: 3 } },
  });
  const { post_id } = await recorder.success('createRoundRobinSurvey');
  await recorder.success('createBinarySurvey');
  await recorder.success('createImageSliderSurvey');
  return post_id;
}

async function recordDocuments(recorder: ExampleRecorder) {
  await recorder.own('previewCohortRewards', 'validation_failed', {
    body: {
      cohort_shares: { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.2, cohort_5: 0.1 },
    },
  });
  await recorder.success('previewCohortRewards');
  await recorder.own('applyCampaign', 'validation_failed', { body: { video_url: 'x' } });
  await recorder.success('applyCampaign');
  await recorder.success('listCampaigns', { query: '?limit=2' });
}

async function recordForecasts(recorder: ExampleRecorder, post_id: unknown) {
  await recorder.own('forecastCampaign', 'validation_failed', {
    body: { post_id, runs: 10_000, respondents: 5_000 },
  });
  await recorder.own('forecastCampaign', 'respondents_required', {
    body: { post_id, respondents: undefined },
  });
  await recorder.success('forecastCampaign', {
    body: (example) => ('post_id' in example ? { ...example, post_id } : example),
  });
}

async function recordSimulation(account: ExampleRecorder, api: ExampleRecorder, live: unknown) {
  await api.own('simulateCampaign', 'test_key_required', { body: { post_id: live } });
  const { api_key } = await account.prepare('generateApiKey', { body: { mode: 'test' } });
  const recorder = account.with(key(api_key));
  const { post_id } = await recorder.prepare('createSurvey');
  await recorder.prepare('toggleLive', { body: { post_id, is_live: true } });
  await recorder.own('simulateCampaign', 'validation_failed', {
    body: { post_id, respondents: 5_000 },
  });
  await recorder.success('simulateCampaign', { body: { post_id } });
}

async function recordLife(recorder: ExampleRecorder, post_id: unknown) {
  await recorder.success('checkLaunch', { path: { post_id: String(post_id) } });
  await recorder.own('duplicateCampaign', 'validation_failed', { body: { title: '' } });
  const copy = await recorder.success('duplicateCampaign', { body: { post_id } });
  for (const id of ['archiveCampaign', 'unarchiveCampaign']) {
    await recorder.own(id, 'validation_failed', { body: { post_id: undefined } });
    await recorder.success(id, { body: { post_id: copy.post_id } });
  }
}

/**
 * Runs the service and records its examples.
 *
 * @param directory an empty or absent directory for the embedded database
 */
export function recordExamples(directory: string): Promise<RecordedExamples> {
  return withService(directory, async (app, url) => {
    const database = app.get(DataSource);
    const recorder = await ExampleRecorder.of(url);
    const account = await recordCompany(recorder);
    await recordKeys(account);
    const { api_key } = await account.prepare('generateApiKey');
    const api = recorder.with(key(api_key));
    const survey = await recordSurvey(api);
    await recordEvents(api, database);
    const advertisement = await recordAdvertisement(api);
    await recordWebhooks(api, advertisement);
    const imageSurvey = await recordImageSurveys(api);
    await recordDocuments(api);
    await recordGuardrails(api, imageSurvey);
    await recordForecasts(api, survey);
    await recordSimulation(account, api, survey);
    await recordLife(api, survey);
    await recordConflicts(api, { survey, advertisement, imageSurvey });
    await recordLimits(api, database);
    await recordFielding(recorder, api, database);
    await recordCredentials(recorder, { account, api }, database);
    await recordRequests(api, survey, database);
    return recorder.finish();
  });
}
