import { DataSource } from 'typeorm';
import { openDatabase } from '../src/database/open-database';
import { createTestDatabase, TestDatabase } from './support/databases';
import { testEnv } from './support/env';

const CAMPAIGN = {
  post_id: 'post_1',
  company_id: 'co_1',
  type: 'survey',
  title: 'title',
  description: 'description',
  category: 'category',
  tagline: 'tagline',
  reward_amount: '100',
  cohort_1_reward: '3',
  cohort_2_reward: '40',
  cohort_3_reward: '60',
  cohort_4_reward: '80',
  cohort_5_reward: '100',
  format: 'questionnaire',
  updated_by: 'co_1',
};
const ADVERTISEMENT = {
  type: 'advertisement',
  video_url: 'https://example.com/spot.mp4',
  has_feedback: true,
  format: null,
};

describe('The database refuses, whatever code writes to it', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let campaigns = 0;

  function insert(table: string, row: Record<string, unknown>): Promise<{ id: string }[]> {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return dataSource.query(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')}) RETURNING *`,
      Object.values(row),
    );
  }

  async function insertCampaign(fields: Record<string, unknown> = {}): Promise<string> {
    campaigns += 1;
    const [row] = await insert('campaign', {
      ...CAMPAIGN,
      post_id: `post_${campaigns}`,
      ...fields,
    });
    return row!.id;
  }

  function insertQuestionSet(id: string, campaignId: string, version: number): Promise<unknown> {
    const questions = JSON.stringify([{ type: 'text', question: 'Why?' }]);
    return insert('question_set', {
      question_id: id,
      campaign_id: campaignId,
      version,
      questions,
      total_questions: 1,
    });
  }

  const breaks = (constraint: string) => expect.objectContaining({ constraint });

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDatabase(testEnv(database.variables));
    const company = { company_id: 'co_1', name: 'A', email: 'a@example.com', password_hash: 'x' };
    await insert('company', company);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('nothing about rows that keep the rules', async () => {
    await insertCampaign();
    await insertCampaign(ADVERTISEMENT);
    await insertCampaign({ cohort_2_reward: '0', reward_amount: '0.01', cohort_5_reward: '0.01' });
  });

  it.each<[rule: string, constraint: string, fields: Record<string, unknown>]>([
    ['cohort_1_reward below 3 (4.5)', 'campaign_cohort_1_at_least_3', { cohort_1_reward: '2.99' }],
    [
      'cohort_5_reward that differs from reward_amount (4.5)',
      'campaign_cohort_5_equals_reward',
      { cohort_5_reward: '99.99' },
    ],
    [
      'a reward_amount of 0 (4.4)',
      'campaign_reward_amount_range',
      { reward_amount: '0', cohort_5_reward: '0' },
    ],
    [
      'a negative reward_amount (4.4)',
      'campaign_reward_amount_range',
      { reward_amount: '-1', cohort_5_reward: '-1' },
    ],
    [
      'a reward_amount above 1,000,000,000',
      'campaign_reward_amount_range',
      { reward_amount: '1000000000.01', cohort_5_reward: '1000000000.01' },
    ],
    ['a negative cohort reward', 'campaign_cohort_rewards_range', { cohort_2_reward: '-0.01' }],
    [
      'a type that is neither survey nor advertisement (2.2)',
      'campaign_type_known',
      { type: 'quiz' },
    ],
    ['a survey with a video', 'campaign_advertisement_fields', { video_url: 'https://a.example' }],
    ['a survey with has_feedback', 'campaign_advertisement_fields', { has_feedback: false }],
    [
      'a survey with a thumbnail',
      'campaign_advertisement_fields',
      { thumbnail_url: 'https://a.b' },
    ],
    ['a survey with a duration', 'campaign_advertisement_fields', { duration_seconds: 5 }],
    [
      'an advertisement without a video (2.2)',
      'campaign_advertisement_fields',
      { ...ADVERTISEMENT, video_url: null },
    ],
    [
      'an advertisement without has_feedback (2.2)',
      'campaign_advertisement_fields',
      { ...ADVERTISEMENT, has_feedback: null },
    ],
    [
      'a duration of 0 seconds',
      'campaign_duration_positive',
      { ...ADVERTISEMENT, duration_seconds: 0 },
    ],
    ['an empty title', 'campaign_title_length', { title: '' }],
    ['a company that does not exist', 'campaign_company_fkey', { company_id: 'co_0' }],
  ])('%s', async (_, constraint, fields) => {
    await expect(insertCampaign(fields)).rejects.toEqual(breaks(constraint));
  });

  it('an update that leaves cohort 5 behind the reward (2.3)', async () => {
    const id = await insertCampaign();
    await expect(
      dataSource.query('UPDATE campaign SET reward_amount = 50 WHERE id = $1', [id]),
    ).rejects.toEqual(breaks('campaign_cohort_5_equals_reward'));
  });

  it('the same post_id twice (2.2)', async () => {
    await insertCampaign({ post_id: 'post_same' });
    await expect(insertCampaign({ post_id: 'post_same' })).rejects.toEqual(
      breaks('campaign_post_id_unique'),
    );
  });

  it('the same e-mail address in other letters', async () => {
    const other = { company_id: 'co_2', name: 'B', email: 'A@Example.COM', password_hash: 'x' };
    await expect(insert('company', other)).rejects.toEqual(breaks('company_email_unique'));
  });

  it("another campaign's question set as the current one", async () => {
    const [own, other] = [await insertCampaign(), await insertCampaign()];
    await insertQuestionSet('qset_own', own, 1);
    await insertQuestionSet('qset_other', other, 2);
    const setCurrent = (version: number) =>
      dataSource.query('UPDATE campaign SET question_set_version = $1 WHERE id = $2', [
        version,
        own,
      ]);
    await setCurrent(1);
    await expect(setCurrent(2)).rejects.toEqual(breaks('campaign_question_set_fkey'));
  });

  it.each([
    ['no question', '[]', 0],
    ['a total that is not the number of questions (2.5)', '[{}]', 2],
  ])('a question set with %s', async (_, questions, total_questions) => {
    const campaign_id = await insertCampaign();
    await expect(
      insert('question_set', {
        question_id: 'qset_x',
        campaign_id,
        version: 1,
        questions,
        total_questions,
      }),
    ).rejects.toEqual(breaks('question_set_total'));
  });

  it.each([
    ['a scope that does not exist', ['campaigns:read', 'campaigns:delete']],
    ['no scope', []],
  ])('an API key with %s', async (_, scopes) => {
    await expect(
      insert('api_key', {
        key_id: 'key_1',
        company_id: 'co_1',
        key_hash: Buffer.alloc(32),
        prefix: 'csk_1',
        updated_by: 'co_1',
        scopes,
      }),
    ).rejects.toEqual(breaks('api_key_scopes_known'));
  });
});
