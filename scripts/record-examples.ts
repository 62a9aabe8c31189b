import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { RecordedExamples } from '../src/openapi/document-content';
import { ExampleRecorder, withService } from './example-recorder';
import {
  bearer,
  Headers,
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

async function recordCompany(recorder: ExampleRecorder): Promise<Headers> {
  const { access_token } = await recorder.success('registerCompany');
  await recorder.own('registerCompany', 'email_taken');
  await recorder.own('registerCompany', 'validation_failed', { body: { password: 'too short' } });
  await recorder.own('logIn', 'invalid_credentials', { body: { password: 'a wrong password' } });
  await recorder.own('logIn', 'validation_failed', { body: { email: 'research' } });
  await recorder.success('logIn');
  const account = bearer(access_token);
  await recorder.success('getCompany', { headers: account });
  await recorder.common('token_missing', 'getCompany');
  await recorder.common('token_invalid', 'getCompany', { headers: bearer('not.a.token') });
  return account;
}

async function recordKeys(recorder: ExampleRecorder, account: Headers) {
  const headers = account;
  // The error of a list that most operations share.
  await recorder.common('validation_failed', 'listApiKeys', { headers, query: '?limit=500' });
  await recorder.common('api_key_not_found', 'revokeApiKey', {
    headers,
    body: { key_id: unknownId('key') },
  });
  await recorder.own('generateApiKey', 'validation_failed', {
    headers,
    body: { scopes: ['campaigns:delete'] },
  });
  const { key_id } = await recorder.success('generateApiKey', { headers });
  await recorder.success('listApiKeys', { headers });
  const path = { key_id: String(key_id) };
  await recorder.success('getApiKeyHistory', { headers, path });
  await recorder.own('rotateApiKey', 'validation_failed', {
    headers,
    body: { key_id, overlap_seconds: 100_000 },
  });
  await recorder.success('rotateApiKey', { headers, body: { key_id } });
  await recorder.own('revokeApiKey', 'validation_failed', { headers, body: { key_id: undefined } });
  await recorder.success('revokeApiKey', { headers, body: { key_id } });
}

async function recordSurvey(recorder: ExampleRecorder, headers: Headers) {
  await recorder.own('createSurvey', 'validation_failed', {
    headers,
    body: { tagline: undefined, reward_amount: 99.5 },
  });
  const { post_id } = await recorder.success('createSurvey', { headers });
  const body = { post_id };
  const path = { post_id: String(post_id) };
  await recorder.own('setSurveyQuestions', 'validation_failed', {
    headers,
    body: { post_id, questions: [{ type: 'single_choice', question: 'Milk?', options: ['Yes'] }] },
  });
  await recorder.success('setSurveyQuestions', { headers, body });
  await recorder.success('getQuestions', { headers, path });
  await recorder.success('getQuestionHistory', { headers, path });
  await recorder.own('updateCampaign', 'validation_failed', {
    headers,
    body: { post_id, reward_amount: 0 },
  });
  await recorder.success('updateCampaign', { headers, body });
  await recorder.own('updateCohortRewards', 'validation_failed', {
    headers,
    body: { post_id, cohort_1_reward: 2 },
  });
  await recorder.success('updateCohortRewards', { headers, body });
  await recorder.own('toggleLive', 'validation_failed', {
    headers,
    body: { post_id, is_live: 'true' },
  });
  await recorder.success('toggleLive', { headers, body });
  await recorder.success('getCampaign', { headers, path });
  for (const id of ['getCampaign', 'getQuestions', 'checkLaunch']) {
    const tooLong = { post_id: `post_${'0'.repeat(100)}` };
    await recorder.own(id, 'validation_failed', { headers, path: tooLong });
  }
  await recorder.success('getCampaignHistory', { headers, path, query: '?limit=1' });
  return post_id;
}

async function recordEvents(recorder: ExampleRecorder, headers: Headers, database: DataSource) {
  const invalid = '?limit=5000';
  await recorder.own('listEvents', 'validation_failed', { headers, query: invalid });
  while ((await database.query<unknown[]>('SELECT FROM event WHERE seq IS NULL LIMIT 1')).length) {
    await delay(20);
  }
  const query = '?types=campaign.started,campaign.stopped&limit=1';
  await recorder.success('listEvents', { headers, query });
  await recorder.own('listEvents', 'feed_position_unknown', { headers, query: '?after=1000' });
  // As after an archive of the first event.
  await database.query('UPDATE event_sequence SET first_seq = 2');
  await recorder.own('listEvents', 'feed_position_expired', { headers, query: '?after=0' });
  await database.query('UPDATE event_sequence SET first_seq = 1');
}

async function recordAdvertisement(recorder: ExampleRecorder, headers: Headers) {
  await recorder.own('createAdvertisement', 'validation_failed', {
    headers,
    body: { video_url: 'spot.mp4' },
  });
  const { post_id } = await recorder.success('createAdvertisement', { headers });
  await recorder.own('setAdvertisementQuestions', 'validation_failed', {
    headers,
    body: { post_id, questions: [] },
  });
  await recorder.success('setAdvertisementQuestions', { headers, body: { post_id } });
  return post_id;
}

async function recordImageSurveys(recorder: ExampleRecorder, headers: Headers) {
  const images = [{ url: 'https://example.com/a.png' }];
  await recorder.own('createRoundRobinSurvey', 'validation_failed', { headers, body: { images } });
  await recorder.own('createBinarySurvey', 'validation_failed', { headers, body: { images } });
  await recorder.own('createImageSliderSurvey', 'validation_failed', {
    headers,
    body: { scale: { min: 0, max: 10, step: 3 } },
  });
  const { post_id } = await recorder.success('createRoundRobinSurvey', { headers });
  await recorder.success('createBinarySurvey', { headers });
  await recorder.success('createImageSliderSurvey', { headers });
  return post_id;
}

async function recordDocuments(recorder: ExampleRecorder, headers: Headers) {
  await recorder.own('previewCohortRewards', 'validation_failed', {
    headers,
    body: {
      cohort_shares: { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.2, cohort_5: 0.1 },
    },
  });
  await recorder.success('previewCohortRewards', { headers });
  await recorder.own('applyCampaign', 'validation_failed', { headers, body: { video_url: 'x' } });
  await recorder.success('applyCampaign', { headers });
  await recorder.success('listCampaigns', { headers, query: '?limit=2' });
}

async function recordForecasts(recorder: ExampleRecorder, headers: Headers, post_id: unknown) {
  await recorder.own('forecastCampaign', 'validation_failed', {
    headers,
    body: { post_id, runs: 10_000, respondents: 5_000 },
  });
  await recorder.own('forecastCampaign', 'respondents_required', {
    headers,
    body: { post_id, respondents: undefined },
  });
  await recorder.success('forecastCampaign', {
    headers,
    body: (example) => ('post_id' in example ? { ...example, post_id } : example),
  });
}

async function recordSimulation(
  recorder: ExampleRecorder,
  account: Headers,
  live: { headers: Headers; post_id: unknown },
) {
  const { headers: liveKey, post_id: livePostId } = live;
  await recorder.own('simulateCampaign', 'test_key_required', {
    headers: liveKey,
    body: { post_id: livePostId },
  });
  const mode = { mode: 'test' };
  const { api_key } = await recorder.prepare('generateApiKey', { headers: account, body: mode });
  const headers = key(api_key);
  const { post_id } = await recorder.prepare('createSurvey', { headers });
  await recorder.prepare('toggleLive', { headers, body: { post_id, is_live: true } });
  await recorder.own('simulateCampaign', 'validation_failed', {
    headers,
    body: { post_id, respondents: 5_000 },
  });
  await recorder.success('simulateCampaign', { headers, body: { post_id } });
}

async function recordLife(recorder: ExampleRecorder, headers: Headers, post_id: unknown) {
  await recorder.success('checkLaunch', { headers, path: { post_id: String(post_id) } });
  await recorder.own('duplicateCampaign', 'validation_failed', { headers, body: { title: '' } });
  const copy = await recorder.success('duplicateCampaign', { headers, body: { post_id } });
  for (const id of ['archiveCampaign', 'unarchiveCampaign']) {
    await recorder.own(id, 'validation_failed', { headers, body: { post_id: undefined } });
    await recorder.success(id, { headers, body: { post_id: copy.post_id } });
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
    await recordKeys(recorder, account);
    const { api_key } = await recorder.prepare('generateApiKey', { headers: account });
    const api = key(api_key);
    const survey = await recordSurvey(recorder, api);
    await recordEvents(recorder, api, database);
    const advertisement = await recordAdvertisement(recorder, api);
    await recordWebhooks(recorder, api, advertisement);
    const imageSurvey = await recordImageSurveys(recorder, api);
    await recordDocuments(recorder, api);
    await recordGuardrails(recorder, api, imageSurvey);
    await recordForecasts(recorder, api, survey);
    await recordSimulation(recorder, account, { headers: api, post_id: survey });
    await recordLife(recorder, api, survey);
    await recordConflicts(recorder, api, { survey, advertisement, imageSurvey });
    await recordLimits(recorder, api, database);
    await recordFielding(recorder, api, database);
    await recordCredentials(recorder, { account, api }, database);
    await recordRequests(recorder, api, survey, database);
    return recorder.finish();
  });
}
