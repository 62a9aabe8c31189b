import type { DataSource } from 'typeorm';
import type { ExampleRecorder } from './example-recorder';

/*
 * Records the examples of what companies pay besides the reward, and of what they dispute.
 */

/** Errors of one response, each with the change of what is stored that causes it. */
const CAUSES = [
  ['payBonus', 'response_erased', 'participation SET respondent = NULL'],
  ['payBonus', 'response_too_old', "participation SET closed_at = closed_at - interval '91 days'"],
  ['payBonus', 'bonus_over_budget', 'campaign_progress SET budget = spent + held'],
  ['openDispute', 'response_erased', 'participation SET respondent = NULL'],
  [
    'openDispute',
    'response_too_old',
    "participation SET closed_at = closed_at - interval '8 days'",
  ],
  ['openDispute', 'dispute_share_reached', 'campaign_progress SET disputed = answered'],
] as const;

/** Makes a change in the campaigns that are being recorded, and undoes it after the work. */
async function withChange(
  database: DataSource,
  change: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const [table = ''] = change.split(' ');
  await database.query(`CREATE TEMPORARY TABLE kept AS SELECT * FROM ${table}`);
  await database.query(`UPDATE ${change}`);
  await work();
  const columns = table === 'participation' ? ['respondent', 'closed_at'] : ['budget', 'disputed'];
  const key = table === 'participation' ? 'participation_id' : 'campaign_id';
  await database.query(
    `UPDATE ${table} AS t SET ${columns.map((name) => `${name} = kept.${name}`).join(', ')}
     FROM kept WHERE kept.${key} = t.${key}`,
  );
  await database.query('DROP TABLE kept');
}

/** Bonuses and disputes of the participation that was submitted last. */
export async function recordCorrections(
  api: ExampleRecorder,
  platform: ExampleRecorder,
  database: DataSource,
): Promise<void> {
  for (const [operation, code, change] of CAUSES) {
    await withChange(database, change, () => api.common(operation, code));
  }
  await api.common('payBonus', 'bonus_too_large', { amount: 5_000 });
  await api.success('payBonus');
  await api.common('payBonus', 'bonus_ref_taken', { amount: 30 });
  await api.common('payBonus', 'bonus_already_paid', { bonus_ref: 'best-answer-2026-12' });
  await platform.common('decideDispute', 'dispute_not_found');
  await api.success('openDispute');
  await api.common('openDispute', 'dispute_exists', { reason: 'Copied texts' });
  await api.success('listDisputes');
  await platform.success('listFieldingDisputes');
  await platform.success('decideDispute');
  await platform.common('decideDispute', 'dispute_closed', { is_accepted: true, note: undefined });
  await database.query('CREATE TEMPORARY TABLE kept AS SELECT * FROM dispute');
  await database.query('DELETE FROM dispute');
  const { post_id } = api.ids;
  await api.prepare('updateCampaign', { review_days: null });
  await api.common('openDispute', 'disputes_not_offered');
  await api.own(
    'updateCampaign',
    'dispute_terms_kept',
    JSON.stringify({ post_id, review_days: 7 }),
  );
  // The versions of later events of the participation count those of its dispute.
  await database.query('INSERT INTO dispute SELECT * FROM kept');
  await database.query('DROP TABLE kept');
}
