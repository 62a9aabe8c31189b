import type { DataSource } from 'typeorm';

/** Returns a campaign's row as stored, with money as decimal strings. */
export async function storedCampaign(
  dataSource: DataSource,
  postId: string,
): Promise<Record<string, any>> {
  const [row] = await dataSource.query('SELECT * FROM campaign WHERE post_id = $1', [postId]);
  expect(row).toBeDefined();
  return row;
}

/** Returns a campaign's reward and cohort rewards 5 to 1, as decimal strings. */
export async function storedRewards(dataSource: DataSource, postId: string): Promise<string[]> {
  const row = await storedCampaign(dataSource, postId);
  return [row.reward_amount, ...row.cohort_rewards.toReversed()];
}

/** Returns the identifier of a campaign's current question set; `null` if it has no questions. */
export async function currentQuestionSet(
  dataSource: DataSource,
  postId: string,
): Promise<string | null> {
  const [row] = await dataSource.query<{ question_id: string }[]>(
    `SELECT question_id FROM question_set
     JOIN campaign ON campaign.company_id = question_set.company_id
       AND campaign.id = campaign_id AND question_set_version = question_set.version
     WHERE post_id = $1`,
    [postId],
  );
  return row?.question_id ?? null;
}

/** Returns every question set ever stored for a campaign, oldest first. */
export async function storedQuestionSets(
  dataSource: DataSource,
  postId: string,
): Promise<{ question_id: string; questions: object[]; total_questions: number }[]> {
  return dataSource.query(
    `SELECT question_id, questions, total_questions FROM question_set
     WHERE campaign_id = (SELECT id FROM campaign WHERE post_id = $1) ORDER BY question_id`,
    [postId],
  );
}
