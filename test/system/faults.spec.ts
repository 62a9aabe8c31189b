import { pino } from 'pino';
import { createApp } from '../../src/app.setup';
import { createSurvey, survey } from '../support/builders';
import { Answer, registerCompany, TestCompany } from '../support/client';
import { testEnv } from '../support/env';
import { expectError } from '../support/refusals';
import { disconnectDatabase, startService, TestService } from '../support/service';

function expectUnavailable(answer: Answer): void {
  expectError(answer, 503, 'service_unavailable');
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

describe('an internal fault', () => {
  let service: TestService;
  let company: TestCompany;

  beforeEach(async () => {
    service = await startService();
    company = await registerCompany(service.client);
  });

  afterEach(() => service.close());

  it('responds with internal_error without a trace of the cause, and recovers', async () => {
    await service.dataSource.query('ALTER TABLE campaign RENAME TO hidden');
    const answer = await company.api
      .with({ 'x-request-id': 'mine' })
      .post('/svc/survey/create', survey({ title: 'Not to be repeated' }));
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      success: false,
      message: 'Something went wrong on our side.',
      data: null,
      error: { code: 'internal_error', request_id: 'mine', details: [] },
    });
    await service.dataSource.query('ALTER TABLE hidden RENAME TO campaign');
    await createSurvey(company.api);
  });

  it('responds with internal_error in a guard too', async () => {
    await service.dataSource.query('ALTER TABLE api_key RENAME COLUMN key_hash TO hidden');
    expectError(await company.api.post('/svc/survey/create', survey()), 500, 'internal_error');
  });

  it('responds with service_unavailable and Retry-After once the database is gone', async () => {
    await disconnectDatabase(service);
    expectUnavailable(await company.api.post('/svc/survey/create', survey()));
    expectUnavailable(await company.account.get('/api/company/me'));
    expectUnavailable(
      await service.client.post('/api/company/login', { email: company.email, password: 'x' }),
    );
    expectUnavailable(await service.client.get('/health/ready'));
    expect((await service.client.get('/health/live')).status).toBe(200);
  });
});

describe.each([
  ['results', 'Results unavailable'],
  ['preview', 'Preview unavailable'],
])('a page that cannot be shown: %s', (kind, unavailable) => {
  let service: TestService;
  let url: string;

  beforeEach(async () => {
    service = await startService({
      variables: { RATE_LIMIT_ENABLED: 'true', RATE_LIMIT_PER_ADDRESS: '20' },
    });
    const { api } = await registerCompany(service.client);
    const { post_id } = await createSurvey(api);
    ({ url } = (await api.post(`/svc/campaign/${kind}-link`, { post_id })).body.data);
  });

  afterEach(() => service.close());

  const headersOf = ({ headers }: Response) =>
    ['content-type', 'content-security-policy', 'x-robots-tag', 'cache-control'].map((name) =>
      headers.get(name),
    );

  it('says so in a page with the request id, whatever the reason', async () => {
    const notFound = await fetch(url.replace(/.$/, '!'));
    expect([notFound.status, headersOf(notFound)[0]]).toEqual([404, 'text/html; charset=utf-8']);
    const expectPage = async (response: Response, status: number, title: string) => {
      const text = await response.text();
      expect([response.status, text]).toEqual([
        status,
        expect.stringContaining(`<h1>${title}</h1>`),
      ]);
      expect(headersOf(response)).toEqual(headersOf(notFound));
      expect(text).toContain('Request id: mine<');
      expect(text).not.toMatch(/<script|results_link|undefined/);
      const seconds = response.headers.get('retry-after');
      expect(text).toContain(status === 500 ? 'Try again later.' : `Try again in ${seconds} s.`);
    };
    const open = () => fetch(url, { headers: { 'x-request-id': 'mine' } });
    await service.dataSource.query('ALTER TABLE results_link RENAME TO hidden');
    await expectPage(await open(), 500, 'Something went wrong');
    await disconnectDatabase(service);
    await expectPage(await open(), 503, unavailable);
    let response = await open();
    while (response.status === 503) {
      response = await open();
    }
    await expectPage(response, 429, 'Too many requests');
  });
});

it('explains what is wrong with the connection when it starts without a database', async () => {
  const env = testEnv({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nothing' });
  await expect(createApp(env, pino({ level: 'silent' }))).rejects.toThrow(/ECONNREFUSED/);
});
