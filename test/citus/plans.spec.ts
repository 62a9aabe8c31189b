import { BackgroundJobs } from '../../src/scheduling/background-jobs.service';
import { advertisement, createSurvey, imageSurvey, question, survey } from '../support/builders';
import { Answer, registerCompany, TestCompany } from '../support/client';
import { DOCUMENTS } from '../support/documents';
import { startService, TestService } from '../support/service';

/*
 * The statements are the service's own, as its data source logs them. A task is what the
 * coordinator has one node do for a statement; one that asks every shard has as many tasks as there
 * are shards.
 */

const TRANSACTION_CONTROL = /^(START|SAVEPOINT|RELEASE|ROLLBACK|COMMIT)/;

const TASKS = /Task Count: (\d+)/g;

interface Statement {
  sql: string;
  parameters: unknown[];
}

type Request = (company: TestCompany, post_id: string) => Promise<Answer>;

const DOCUMENT = { external_ref: 'plans', ...DOCUMENTS.questionnaire };

const COHORT_REWARDS = {
  cohort_1_reward: 3,
  cohort_2_reward: 10,
  cohort_3_reward: 20,
  cohort_4_reward: 30,
  cohort_5_reward: 100,
};

const createOnce: Request = ({ api }) =>
  api.with({ 'idempotency-key': 'plans' }).post('/svc/survey/create', survey());

const REQUESTS: [string, Request][] = [
  ['creates a survey', ({ api }) => api.post('/svc/survey/create', survey())],
  ['creates an advertisement', ({ api }) => api.post('/svc/advertisement/create', advertisement())],
  ['creates an image survey', ({ api }) => api.post('/svc/image-survey/binary', imageSurvey())],
  [
    'updates a campaign',
    ({ api }, post_id) => api.patch('/svc/campaign/update', { post_id, title: 'New' }),
  ],
  [
    'sets cohort rewards',
    ({ api }, post_id) => api.patch('/svc/campaign/cohort-rewards', { post_id, ...COHORT_REWARDS }),
  ],
  [
    'starts a campaign',
    ({ api }, post_id) => api.patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
  ],
  [
    'starts a campaign of a version',
    ({ api }, post_id) =>
      api.with({ 'if-match': '*' }).patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
  ],
  [
    'sets questions',
    ({ api }, post_id) => api.post('/svc/survey/questions', { post_id, questions: [question()] }),
  ],
  ['reads a campaign', ({ api }, post_id) => api.get(`/svc/campaign/${post_id}`)],
  ['reads questions', ({ api }, post_id) => api.get(`/svc/campaign/${post_id}/questions`)],
  [
    'reads the history of questions',
    ({ api }, post_id) => api.get(`/svc/campaign/${post_id}/questions/history`),
  ],
  ['reads a history', ({ api }, post_id) => api.get(`/svc/campaign/${post_id}/history`)],
  [
    'starts a campaign with limits',
    async ({ api }, post_id) => {
      await api.patch('/svc/campaign/update', { post_id, max_responses: 5, budget: 500 });
      return api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    },
  ],
  ['reads a campaign with limits', ({ api }, post_id) => api.get(`/svc/campaign/${post_id}`)],
  ['lists responses', ({ api }, post_id) => api.get(`/svc/campaign/${post_id}/responses`)],
  [
    'lists responses with an answer',
    ({ api }, post_id) => api.get(`/svc/campaign/${post_id}/responses?question=1&answer=x`),
  ],
  ['lists transfers', ({ api }) => api.get('/svc/ledger/list')],
  [
    'lists transfers of a campaign',
    ({ api }, post_id) => api.get(`/svc/ledger/list?post_id=${post_id}`),
  ],
  ['reconciles', ({ api }) => api.get('/svc/ledger/reconcile')],
  ['lists campaigns', ({ api }) => api.get('/svc/campaign/list')],
  [
    'lists campaigns by category',
    ({ api }) => api.get('/svc/campaign/list?category=food&is_live=true'),
  ],
  ['creates by a document', ({ api }) => api.put('/svc/campaign/apply', DOCUMENT)],
  [
    'updates by a document',
    ({ api }) =>
      api.put('/svc/campaign/apply', { ...DOCUMENT, title: 'B', questions: [question()] }),
  ],
  ['creates with an Idempotency-Key', createOnce],
  ['repeats an Idempotency-Key', createOnce],
];

describe('A statement on a cluster', () => {
  let service: TestService;
  let company: TestCompany;
  let postId: string;
  const statements: Statement[] = [];

  beforeAll(async () => {
    // What works in the background asks every shard, and would be among the statements.
    jest.spyOn(BackgroundJobs.prototype, 'run').mockResolvedValue();
    service = await startService();
    company = await registerCompany(service.client);
    ({ post_id: postId } = await createSurvey(company.api));
    Object.assign(service.dataSource.logger, {
      logQuery: (sql: string, parameters: unknown[] = []) => statements.push({ sql, parameters }),
    });
  });

  afterAll(async () => {
    await service.close();
    jest.restoreAllMocks();
  });

  /** How many tasks each part of a statement has that reads or writes a table. */
  async function tasksOf({ sql, parameters }: Statement): Promise<number[]> {
    const lines = await service.dataSource.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN (COSTS OFF) ${sql}`,
      parameters,
    );
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    return [...plan.matchAll(TASKS)].map(([, count]) => Number(count));
  }

  /** The tasks of every statement that a request sends. */
  async function tasksOfRequest(send: Request, status = 200): Promise<number[][]> {
    statements.length = 0;
    expect((await send(company, postId)).status).toBe(status);
    const sent = statements.filter(({ sql }) => !TRANSACTION_CONTROL.test(sql));
    const tasks: number[][] = [];
    for (const statement of sent) {
      tasks.push(await tasksOf(statement));
    }
    return tasks;
  }

  it.each(REQUESTS)('has one task where a request %s', async (_, send) => {
    const tasks = await tasksOfRequest(send);
    expect(tasks.length).toBeGreaterThan(0);
    for (const counts of tasks) {
      expect(new Set(counts)).toEqual(new Set([1]));
    }
  });

  it('asks every shard only whether another company has a campaign', async () => {
    const [own, any, ...more] = await tasksOfRequest(
      ({ api }) => api.get('/svc/campaign/post_01k9x2v8zdf3xbz0q4v5rk6t7m'),
      404,
    );
    expect([own, more]).toEqual([[1], []]);
    expect(any![0]).toBeGreaterThan(1);
  });
});
