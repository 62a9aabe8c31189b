import { DataSource } from 'typeorm';
import { entities } from '../../src/app.module';
import { newId } from '../../src/platform/database/identifiers';
import { openDatabase } from '../../src/platform/database/open-database';
import { anyPostId } from '../support/builders';
import { violated } from '../support/constraints';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { testEnv } from '../support/env';

const CAMPAIGN = {
  post_id: anyPostId(),
  company_id: '01990000-0000-7000-8000-000000000001',
  type: 'survey',
  title: 'title',
  description: 'description',
  category: 'category',
  tagline: 'tagline',
  reward_amount: '100',
  cohort_rewards: '{3,40,60,80,100}',
  format: 'questionnaire',
  updated_by: '01990000-0000-7000-8000-000000000001',
};
const ADVERTISEMENT = {
  type: 'advertisement',
  video_url: 'https://example.com/spot.mp4',
  has_feedback: true,
  format: null,
};

const LIVE_ARCHIVED = { is_live: true, archived: true };

describe('the database, whatever code writes to it,', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  function insert(table: string, row: Record<string, unknown>): Promise<{ id: string }[]> {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return dataSource.query(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')}) RETURNING *`,
      Object.values(row),
    );
  }

  async function insertCampaign(fields: Record<string, unknown> = {}): Promise<string> {
    const [row] = await insert('campaign', {
      ...CAMPAIGN,
      post_id: anyPostId(),
      ...fields,
    });
    return row!.id;
  }

  function insertQuestionSet(id: string, campaignId: string, version: number): Promise<unknown> {
    const questions = '[{"type":"text","question":"Why?"}]';
    return insert('question_set', {
      company_id: '01990000-0000-7000-8000-000000000001',
      question_id: id,
      campaign_id: campaignId,
      version,
      questions,
      total_questions: 1,
    });
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDatabase(testEnv(database.variables), entities);
    const company = {
      company_id: '01990000-0000-7000-8000-000000000001',
      name: 'A',
      email: 'a@example.com',
      password_hash: 'x',
    };
    await insert('company', company);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('accepts rows that keep the rules', async () => {
    await insertCampaign();
    await insertCampaign(ADVERTISEMENT);
    await insertCampaign({ reward_amount: '0.01', cohort_rewards: '{3,0,60,80,0.01}' });
  });

  const REFUSED: Record<string, Record<string, Record<string, unknown>>> = {
    campaign_cohort_1_at_least_3: {
      'cohort_1_reward below 3 (4.5)': { cohort_rewards: '{2.99,40,60,80,100}' },
    },
    campaign_cohort_5_equals_reward: {
      'cohort_5_reward that differs from reward_amount (4.5)': {
        cohort_rewards: '{3,40,60,80,99.99}',
      },
    },
    campaign_reward_amount_range: {
      'a reward_amount of 0 (4.4)': { reward_amount: '0', cohort_rewards: '{3,40,60,80,0}' },
      'a negative reward_amount (4.4)': { reward_amount: '-1', cohort_rewards: '{3,40,60,80,-1}' },
      'a reward_amount above 1,000,000,000': {
        reward_amount: '1000000000.01',
        cohort_rewards: '{3,40,60,80,1000000000.01}',
      },
    },
    campaign_cohort_rewards_range: {
      'only four cohort rewards': { cohort_rewards: '{3,40,60,80}' },
      'a negative cohort reward': { cohort_rewards: '{3,-0.01,60,80,100}' },
    },
    campaign_type_known: {
      'a type that is neither survey nor advertisement (2.2)': { type: 'quiz', format: null },
    },
    campaign_advertisement_fields: {
      'a survey with a video': { video_url: 'https://a.example' },
      'a survey with has_feedback': { has_feedback: false },
      'a survey with a thumbnail': { thumbnail_url: 'https://a.b' },
      'a survey with a duration': { duration_seconds: 5 },
      'an advertisement without a video (2.2)': { ...ADVERTISEMENT, video_url: null },
      'an advertisement without has_feedback (2.2)': { ...ADVERTISEMENT, has_feedback: null },
    },
    campaign_duration_positive: {
      'a duration of 0 seconds': { ...ADVERTISEMENT, duration_seconds: 0 },
    },
    campaign_ends_after_start: {
      'an end that is not after the start': {
        starts_at: '2030-01-01T00:00:00Z',
        ends_at: '2030-01-01T00:00:00Z',
      },
    },
    campaign_limits_range: {
      'max_responses of 0': { max_responses: 0 },
      'max_responses above 10,000,000': { max_responses: 10000001 },
      'a budget of 0': { budget: '0' },
    },
    campaign_live_unless_archived: { 'a live campaign in the archive': LIVE_ARCHIVED },
    campaign_title_length: { 'an empty title': { title: '' } },
    campaign_environment: {
      'what is no environment of a company': { company_id: '01990000-0000-6000-8000-000000000001' },
    },
  };

  describe.each(Object.entries(REFUSED))('refuses by %s', (constraint, rows) => {
    it.each(Object.entries(rows))('%s', async (_, fields) => {
      expect(await violated(insertCampaign(fields))).toBe(constraint);
    });
  });

  it.each([
    ['more places than max_responses', 'within_max_responses', { max_responses: 2, taken: 3 }],
    ['more money than the budget', 'within_budget', { budget: '10', held: '4', spent: '6.01' }],
    ['more answers than places', 'answered_taken', { taken: 1, answered: 2 }],
    ['negative money', 'not_negative', { held: '-1' }],
  ])('counters with %s', async (_, constraint, counters) => {
    const campaign_id = await insertCampaign();
    const row = { company_id: '01990000-0000-7000-8000-000000000001', campaign_id, ...counters };
    expect(await violated(insert('campaign_progress', row))).toBe(
      `campaign_progress_${constraint}`,
    );
  });

  it('refuses an update after which cohort 5 differs from the reward (2.3)', async () => {
    const id = await insertCampaign();
    expect(
      await violated(
        dataSource.query('UPDATE campaign SET reward_amount = 50 WHERE id = $1', [id]),
      ),
    ).toBe('campaign_cohort_5_equals_reward');
  });

  it("derives a campaign's status and largest reward, whatever is written", async () => {
    const written = { status: 'live', largest_reward: '1' };
    const id = await insertCampaign({ ...written, cohort_rewards: '{3,400,60,80,100}' });
    const derived = async () =>
      (
        await dataSource.query<unknown[]>(
          'SELECT status, largest_reward FROM campaign WHERE id = $1',
          [id],
        )
      )[0];
    expect(await derived()).toEqual({ status: 'draft', largest_reward: '400.00' });
    await dataSource.query(
      "UPDATE campaign SET status = 'completed', largest_reward = 1, title = 'b' WHERE id = $1",
      [id],
    );
    expect(await derived()).toEqual({ status: 'draft', largest_reward: '400.00' });
    await dataSource.query(
      "UPDATE campaign SET is_live = true, cohort_rewards[2] = 99, updated_by = 'x' WHERE id = $1",
      [id],
    );
    expect(await derived()).toEqual({ status: 'live', largest_reward: '100.00' });
  });

  it('compares a campaign with its rules after every other trigger that may change it', async () => {
    const [last] = await dataSource.query<unknown[]>(
      `SELECT tgname FROM pg_trigger
       WHERE tgrelid = 'campaign'::regclass AND NOT tgisinternal AND tgtype & 2 > 0
       ORDER BY tgname DESC LIMIT 1`,
    );
    expect(last).toEqual({ tgname: 'campaign_valid' });
  });

  it('refuses the same post_id twice (2.2)', async () => {
    const post_id = anyPostId();
    await insertCampaign({ post_id });
    expect(await violated(insertCampaign({ post_id }))).toBe('campaign_post_id_unique');
  });

  it('refuses the same email address in another case', async () => {
    const other = {
      company_id: '01990000-0000-7000-8000-000000000002',
      name: 'B',
      email: 'A@Example.COM',
      password_hash: 'x',
    };
    expect(await violated(insert('company', other))).toBe('company_email_unique');
  });

  it("refuses another campaign's question set as the current one", async () => {
    const [own, other] = [await insertCampaign(), await insertCampaign()];
    await insertQuestionSet('qset_own', own, 1);
    await insertQuestionSet('qset_other', other, 2);
    const setCurrent = (version: number) =>
      dataSource.query('UPDATE campaign SET question_set_version = $1 WHERE id = $2', [
        version,
        own,
      ]);
    await setCurrent(1);
    expect(await violated(setCurrent(2))).toBe('campaign_question_set_fkey');
  });

  it.each([
    ['no question', '[]', 0],
    ['a total that is not the number of questions (2.5)', '[{}]', 2],
  ])('refuses a question set with %s', async (_, questions, total_questions) => {
    const campaign_id = await insertCampaign();
    expect(
      await violated(
        insert('question_set', {
          company_id: '01990000-0000-7000-8000-000000000001',
          question_id: 'qset_x',
          campaign_id,
          version: 1,
          questions,
          total_questions,
        }),
      ),
    ).toBe('question_set_total');
  });

  it.each([
    ['a scope that does not exist', ['campaigns:read', 'campaigns:delete']],
    ['no scope', []],
  ])('an API key with %s', async (_, scopes) => {
    expect(
      await violated(
        insert('api_key', {
          key_id: newId('key'),
          company_id: '01990000-0000-7000-8000-000000000001',
          key_hash: Buffer.alloc(32),
          prefix: 'csk_1',
          updated_by: '01990000-0000-7000-8000-000000000001',
          scopes,
        }),
      ),
    ).toBe('api_key_scopes_known');
  });
});
