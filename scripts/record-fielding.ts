import type { DataSource } from 'typeorm';
import { PlatformKeyService } from '../src/platform-key/platform-key.service';
import type { ErrorCode } from '../src/http/error-codes';
import { LINKS_MAXIMUM } from '../src/results-page/results-link.limits';
import type { ExampleRecorder, Fields } from './example-recorder';
import { key, unknownId } from './record-errors';

/*
 * Records the examples of what platforms do, and of what clients see of it.
 */

/** Creates a live survey with the questions of the example and returns its post_id. */
async function startSurvey(recorder: ExampleRecorder, fields: Fields) {
  const { post_id } = await recorder.prepare('createSurvey', { body: fields });
  await recorder.prepare('setSurveyQuestions', { body: { post_id } });
  await recorder.prepare('toggleLive', { body: { post_id, is_live: true } });
  return post_id;
}

/** What a platform reads of a participation whose answers were submitted. */
async function recordReads(recorder: ExampleRecorder, participation_id: unknown): Promise<void> {
  const path = { participation_id: String(participation_id) };
  await recorder.success('getParticipation', { path });
  for (const [code, id] of [
    ['validation_failed', 'x'.repeat(101)],
    ['participation_not_found', unknownId('part')],
  ] as const) {
    await recorder.own('getParticipation', code, { path: { participation_id: id } });
  }
  await recorder.success('getRespondent', { query: '?respondent_id=user-4711' });
  await recorder.own('getRespondent', 'validation_failed', { query: '?limit=20' });
}

/** What happens to those who begin a campaign with two places. */
async function recordParticipations(
  api: ExampleRecorder,
  recorder: ExampleRecorder,
): Promise<{ post_id: unknown; participation_id: unknown }> {
  const post_id = await startSurvey(api, { max_responses: 2 });
  const query = '?respondent_id=user-4711&limit=1';
  await recorder.success('listFielding', { query });
  await recorder.own('listFielding', 'validation_failed', { query: '?limit=20' });
  const begun = await recorder.success('beginParticipation', { body: { post_id } });
  const mine = { post_id, participation_id: begun.participation_id };
  const other = await recorder.prepare('beginParticipation', {
    body: { post_id, respondent_id: 'user-4712' },
  });
  for (const [code, body] of [
    ['validation_failed', { post_id, respondent_id: '' }],
    ['fully_held', { post_id, respondent_id: 'user-4713' }],
  ] as const) {
    await recorder.own('beginParticipation', code, { body });
  }
  const refused = (id: string, code: ErrorCode, body: Fields) =>
    recorder.own(id, code, { body: { ...mine, ...body } });
  await refused('submitParticipation', 'validation_failed', {
    answers: [
      { question: 1, value: 'Five' },
      { question: 2, value: 'Good water' },
    ],
  });
  await refused('reverseParticipation', 'participation_not_submitted', {});
  await recorder.common('participation_not_found', 'submitParticipation', {
    body: { post_id, participation_id: unknownId('part') },
  });
  await recorder.success('submitParticipation', { body: mine });
  await recordReads(recorder, begun.participation_id);
  await refused('submitParticipation', 'participation_closed', { attention_score: 2 });
  await refused('abandonParticipation', 'participation_closed', {});
  await refused('abandonParticipation', 'validation_failed', { participation_id: undefined });
  const { participation_id } = other;
  await recorder.success('abandonParticipation', { body: { post_id, participation_id } });
  await api.prepare('toggleLive', { body: { post_id, is_live: false } });
  await recorder.common('campaign_not_live', 'beginParticipation', {
    body: { post_id, respondent_id: 'user-4713' },
  });
  return mine;
}

/** What the submission adds up to, once the results count it. */
async function recordResults(
  recorder: ExampleRecorder,
  path: Record<string, string>,
): Promise<void> {
  for (let counted = 0; counted === 0;) {
    const { responses } = await recorder.prepare('getCampaignResults', { path });
    counted = (responses as { counted: number }).counted;
  }
  await recorder.success('getCampaignResults', { path });
  for (const [code, query] of [
    ['validation_failed', '?weights=1,1'],
    ['question_set_not_found', '?version=7'],
  ] as const) {
    await recorder.own('getCampaignResults', code, { path, query });
  }
}

/** Links to a page with the results. */
async function recordLinks(recorder: ExampleRecorder, post_id: unknown): Promise<void> {
  await recorder.own('createResultsLink', 'validation_failed', {
    body: { post_id, expires_at: '2099-12-31T23:59:59Z' },
  });
  const { link_id } = await recorder.success('createResultsLink', { body: { post_id } });
  await recorder.success('listResultsLinks');
  await recorder.common('results_link_not_found', 'revokeResultsLink', {
    body: { link_id: unknownId('link') },
  });
  await recorder.success('revokeResultsLink', { body: { link_id } });
  await recorder.own('revokeResultsLink', 'validation_failed', { body: { link_id: undefined } });
  for (let links = 0; links < LINKS_MAXIMUM; links += 1) {
    await recorder.prepare('createResultsLink', { body: { post_id } });
  }
  await recorder.common('too_many_results_links', 'createResultsLink', { body: { post_id } });
}

/** The operations of platforms, and what clients see of them. */
export async function recordFielding(
  recorder: ExampleRecorder,
  api: ExampleRecorder,
  database: DataSource,
): Promise<void> {
  const { secret } = await new PlatformKeyService(database.manager).generate('app');
  const platform = recorder.with(key(secret));
  const mine = await recordParticipations(api, platform);
  const path = { post_id: String(mine.post_id) };
  await api.success('listResponses', { path });
  await api.own('listResponses', 'validation_failed', { path, query: '?cohort=6' });
  await recordResults(api, path);
  await recordLinks(api, mine.post_id);
  // An example names the number of the last event.
  for (let left = 1; left > 0;) {
    [{ left }] = await database.query<[{ left: number }]>(
      'SELECT count(*)::integer AS left FROM event WHERE seq IS NULL',
    );
  }
  for (const [code, query] of [
    ['validation_failed', '?cohorts=6'],
    ['feed_position_unknown', '?after_seq=100000'],
    ['question_set_not_found', '?version=7'],
  ] as const) {
    await api.own('exportResponses', code, { path, query });
  }
  await platform.own('reverseParticipation', 'validation_failed', {
    body: { ...mine, reason: undefined },
  });
  await platform.success('reverseParticipation', { body: mine });
  await api.success('listTransfers');
  const wrong = '?created_after=yesterday';
  await api.own('listTransfers', 'validation_failed', { query: wrong });
  await api.success('reconcileLedger');
  await api.own('reconcileLedger', 'validation_failed', { query: '?cursor=x' });
  await platform.own('eraseRespondent', 'validation_failed', { body: { respondent_id: '' } });
  await platform.success('eraseRespondent');
  await recorder.success('getReceiptKeys');
}
