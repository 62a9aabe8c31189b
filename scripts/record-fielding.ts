import type { DataSource } from 'typeorm';
import { PlatformKeyService } from '../src/access/platform-key/platform-key.service';
import { closeSettlements } from '../src/operations/settlement/settlement-closing';
import type { ExampleRecorder, Fields } from './example-recorder';
import { unknownId } from './invalid-requests';
import { recordCorrections } from './record-corrections';
import { key } from './record-errors';
import { waitUntil } from './wait-until';

/*
 * Records the examples of what platforms do, and of what clients see of it.
 */

/** Records a list of campaigns, which is up to a second old, once it begins with this one. */
async function recordList(
  platform: ExampleRecorder,
  operation: 'listFielding' | 'listFieldingFor',
  fields: Fields,
  post_id: unknown,
): Promise<void> {
  await waitUntil('the list begins with the new campaign', async () => {
    const { items } = await platform.prepare(operation, fields);
    return (items as Fields[])[0]?.post_id === post_id;
  });
  await platform.success(operation, fields);
}

/** What happens to those who begin a campaign with two places. */
async function recordParticipations(
  api: ExampleRecorder,
  platform: ExampleRecorder,
  database: DataSource,
) {
  const { post_id } = await api.prepare('createSurvey', { max_responses: 2 });
  await api.prepare('setSurveyQuestions');
  await api.prepare('toggleLive', { is_live: true });
  const newest = { respondent_id: 'user-4711', limit: 1 };
  await recordList(platform, 'listFielding', newest, post_id);
  const { participation_id } = await platform.success('beginParticipation');
  const third = { respondent_id: 'user-4713' };
  // A balance that pays for one respondent.
  await database.query('UPDATE campaign_progress SET allotment = held + spent');
  await platform.own('beginParticipation', 'balance_low', third);
  await database.query('UPDATE campaign_progress SET allotment = NULL');
  const other = await platform.prepare('beginParticipation', { respondent_id: 'user-4712' });
  await platform.own('beginParticipation', 'fully_held', third);
  await platform.own('beginParticipation', 'not_supported', { supports: ['nps'] });
  const unknown = { participation_id: unknownId('part') };
  await platform.common('submitParticipation', 'participation_not_found', unknown);
  platform.ids.participation_id = participation_id;
  await platform.success('submitParticipation');
  await platform.own('reverseParticipation', 'participation_not_submitted', {
    participation_id: other.participation_id,
  });
  await platform.success('getParticipation');
  await platform.own('getParticipation', 'participation_not_found', unknown);
  await platform.success('getRespondent', { respondent_id: 'user-4711' });
  await platform.own('submitParticipation', 'participation_closed', { attention_score: 2 });
  await platform.own('abandonParticipation', 'participation_closed');
  await platform.success('abandonParticipation', { participation_id: other.participation_id });
  platform.ids.participation_id = participation_id;
  await api.prepare('toggleLive', { is_live: false });
  await platform.common('beginParticipation', 'campaign_not_live', third);
}

/** Whom a campaign asks, and what becomes of others. */
async function recordTargeting(api: ExampleRecorder, platform: ExampleRecorder) {
  const { post_id } = await api.prepare('createSurvey');
  await api.success('setTargeting');
  await api.prepare('setTargeting');
  await api.prepare('toggleLive', { is_live: true });
  await api.success('getTargeting');
  await recordList(platform, 'listFieldingFor', { limit: 1 }, post_id);
  await platform.prepare('beginParticipation');
  await platform.prepare('beginParticipation', { respondent_id: 'user-4712' });
  await api.success('getQuotas');
  await platform.own('beginParticipation', 'screened_out', {
    respondent_id: 'user-4713',
    attributes: { gender: 'female', age: 17 },
  });
  const when = { gender: ['female'], age: [{ from: 18, to: 34 }] };
  const quota = (limit: number) => ({ name: 'women 18 to 34', when, limit });
  await api.common('setTargeting', 'quota_below_taken', { quotas: [quota(1)] });
  await api.prepare('setTargeting', { quotas: [quota(2)] });
  await platform.own('beginParticipation', 'quota_full', { respondent_id: 'user-4713' });
  await api.prepare('setTargeting', { at_most_per_hour: 1 });
  const man = (respondent_id: string) => ({
    respondent_id,
    attributes: { gender: 'male', age: 30 },
  });
  await platform.prepare('beginParticipation', man('user-4714'));
  await platform.own('beginParticipation', 'pace_reached', man('user-4715'));
  await api.prepare('toggleLive', { is_live: false });
}

/** What the submission adds up to, once the results count it. */
async function recordResults(api: ExampleRecorder): Promise<void> {
  let compare: unknown;
  for (let counted = 0; counted === 0;) {
    const { post_id, responses } = await api.prepare('getCampaignResults');
    counted = (responses as { counted: number }).counted;
    compare = post_id;
  }
  await api.success('getCampaignResults');
  await api.success('getPlatformScores');
  await api.own('getCampaignResults', 'question_set_not_found', { version: 7 });
  await api.own('getCampaignResults', 'quota_not_found', { quota: 'men' });
  await api.own('getCampaignResults', 'margins_not_possible', { weights: 'margins' });
  const table = { rows: '1', columns: 'cohort' };
  await api.success('getCrosstab', table);
  await api.own('getCrosstab', 'question_set_not_found', { ...table, version: 7 });
  await api.own('getCrosstab', 'quota_not_found', { ...table, columns: 'cell:men' });
  await api.own('getCrosstab', 'crosstab_not_possible', { ...table, rows: 'age' });
  // With itself, since the example has no other campaign with responses.
  await api.success('compareWaves', { compare });
}

/** Links to a page with the results, and to a preview. */
async function recordLinks(api: ExampleRecorder): Promise<void> {
  await api.successes('createResultsLink', 'listResultsLinks', 'getResultsLink');
  const unknown = { link_id: unknownId('link') };
  await api.common('revokeResultsLink', 'results_link_not_found', unknown);
  await api.success('revokeResultsLink');
  await api.commonAtLast('createResultsLink', 'too_many_results_links');
  await api.successes('createPreviewLink', 'listPreviewLinks', 'getPreviewLink');
  await api.common('revokePreviewLink', 'preview_link_not_found', unknown);
  await api.success('revokePreviewLink');
  await api.commonAtLast('createPreviewLink', 'too_many_preview_links');
}

/** A settlement with the platform. */
async function recordSettlements(
  api: ExampleRecorder,
  platform: ExampleRecorder,
  database: DataSource,
): Promise<void> {
  await closeSettlements(database, {}, new AbortController().signal);
  await platform.success('listSettlements');
  const { items } = await api.prepare('listCompanySettlements');
  const [settlement] = items as Fields[];
  api.ids.settlement_id = platform.ids.settlement_id = settlement?.settlement_id;
  await platform.success('getSettlement');
  const unknown = { settlement_id: unknownId('stl') };
  await platform.common('getSettlement', 'settlement_not_found', unknown);
  await platform.own('downloadSettlement', 'validation_failed', { settlement_id: 'x'.repeat(101) });
  await api.successes('listCompanySettlements', 'getCompanySettlement');
}

/** The operations of platforms, and what clients see of them. */
export async function recordFielding(
  recorder: ExampleRecorder,
  api: ExampleRecorder,
  database: DataSource,
): Promise<void> {
  const { secret } = await new PlatformKeyService(database.manager).generate('app');
  const platform = recorder.with(key(secret));
  await recordTargeting(api, platform);
  await recordParticipations(api, platform, database);
  await api.successes('listResponses', 'getResponse');
  await recordCorrections(api, platform, database);
  await recordResults(api);
  await recordLinks(api);
  // An example names the number of the last event.
  for (let left = 1; left > 0;) {
    [{ left }] = await database.query<[{ left: number }]>(
      'SELECT count(*)::integer AS left FROM unnumbered_event',
    );
  }
  await api.own('exportTransfers', 'validation_failed', { created_after: 'yesterday' });
  await api.own('exportResponses', 'validation_failed', { cohorts: 6 });
  await api.own('exportResponses', 'feed_position_unknown', { after_seq: 100_000 });
  await api.own('exportResponses', 'question_set_not_found', { version: 7 });
  await platform.success('reverseParticipation');
  await api.successes('listTransfers', 'reconcileLedger', 'getBalance');
  await recordSettlements(api, platform, database);
  await platform.success('eraseRespondent');
  await recorder.success('getReceiptKeys');
}
