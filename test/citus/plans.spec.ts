import { BackgroundJobs } from '../../src/platform/scheduling/background-jobs.service';
import {
  advertisement,
  anyPostId,
  createSurvey,
  imageSurvey,
  ladder,
  question,
  survey,
} from '../support/builders';
import { Answer, registerCompany, TestCompany } from '../support/client';
import { DOCUMENTS } from '../support/documents';
import { liveSurvey } from '../support/fielding';
import { generateKey } from '../support/keys';
import { recordStatements, Statement, tasksOf } from '../support/plans';
import { platformClient } from '../support/platforms';
import { startService, TestService } from '../support/service';

/*
 * The statements are the service's own, as its data source logs them. A task is what the
 * coordinator has one node do for a statement; one that asks every shard has as many tasks as there
 * are shards.
 */

const TRANSACTION_CONTROL = /^(START|SAVEPOINT|RELEASE|ROLLBACK|COMMIT)/;

type Request = (company: TestCompany, post_id: string) => Promise<Answer>;

const DOCUMENT = { external_ref: 'plans', ...DOCUMENTS.questionnaire };

const COHORT_REWARDS = ladder(3, 10, 20, 30, 100);

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
  let statements: Statement[];

  beforeAll(async () => {
    // What works in the background asks every shard, and would be among the statements.
    jest.spyOn(BackgroundJobs.prototype, 'run').mockResolvedValue();
    service = await startService();
    company = await registerCompany(service.client);
    ({ post_id: postId } = await createSurvey(company.api));
    statements = recordStatements(service.dataSource);
  });

  afterAll(async () => {
    await service.close();
    jest.restoreAllMocks();
  });

  /** The tasks of every statement that a request sends. */
  async function tasksOfRequest(send: Request, status = 200): Promise<number[][]> {
    statements.length = 0;
    expect((await send(company, postId)).status).toBe(status);
    const sent = statements.filter(({ sql }) => !TRANSACTION_CONTROL.test(sql));
    const tasks: number[][] = [];
    for (const statement of sent) {
      tasks.push(await tasksOf(service.dataSource, statement));
    }
    return tasks;
  }

  const expectOneTaskEach = (tasks: number[][]) => {
    expect(tasks.length).toBeGreaterThan(0);
    for (const counts of tasks) {
      expect(new Set(counts)).toEqual(new Set([1]));
    }
  };

  it.each(REQUESTS)('has one task where a request %s', async (_, send) => {
    expectOneTaskEach(await tasksOfRequest(send));
  });

  it.each(['live', 'test'] as const)(
    "has one task where a request names another company's %s campaign",
    async (mode) => {
      const { api } = await generateKey(company.account, service.client, { mode });
      const { post_id } = await createSurvey(api);
      const stranger = await registerCompany(service.client);
      const read: Request = () => stranger.api.get(`/svc/campaign/${post_id}`);
      expectOneTaskEach(await tasksOfRequest(read, 403));
    },
  );

  it('has one task where a request names no campaign', async () => {
    const read: Request = ({ api }) => api.get(`/svc/campaign/${anyPostId()}`);
    expectOneTaskEach(await tasksOfRequest(read, 404));
  });

  it('asks each shard once for the campaigns of all respondents, and few for each', async () => {
    const platform = await platformClient(service);
    for (let count = 0; count < 2; count += 1) {
      await liveSurvey(await registerCompany(service.client));
    }
    const list = (respondent: string) => () =>
      platform.get(`/svc/fielding/list?respondent_id=${respondent}`);
    const [{ shards }] = await service.dataSource.query<[{ shards: number }]>(
      "SELECT shard_count::integer AS shards FROM citus_tables WHERE table_name = 'campaign'::regclass",
    );
    const companies = await service.dataSource.query<unknown[]>(
      'SELECT DISTINCT company_id FROM campaign WHERE is_live',
    );
    const tasksFor = async (respondent: string) => (await tasksOfRequest(list(respondent))).flat();
    // The surveys, the advertisements, and what the respondent has begun.
    const [surveys, advertisements, begun, ...more] = await tasksFor('ann');
    expect([surveys, advertisements, more]).toEqual([shards, shards, []]);
    expect(begun).toBeLessThanOrEqual(companies.length);
    expect(companies.length).toBeLessThan(shards);
    expect(await tasksFor('bob')).toEqual([begun]);
  });

  it('has one task where a platform asks for a campaign first', async () => {
    const platform = await platformClient(service);
    const post_id = await liveSurvey(company);
    const begin: Request = () =>
      platform.post('/svc/fielding/begin', { post_id, respondent_id: 'ann' });
    const tasks = await tasksOfRequest(begin);
    // The platform's key is on the coordinator, so it is no task.
    expect(new Set(tasks.flat())).toEqual(new Set([1]));
    // The second request knows whose campaign it is.
    expect((await tasksOfRequest(begin)).length).toBeLessThan(tasks.length);
  });
});
