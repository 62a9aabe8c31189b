import { survey } from '../support/builders';
import { PASSWORD } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

/** Part of every body, so that a logged body is recognized. */
const MARK = 'mark-of-a-request-body';

describe('the log', () => {
  const company = companyForAll();

  it('consists of JSON lines with level and time', () => {
    for (const line of service.log.lines()) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^(trace|debug|info|warn|error)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      });
    }
  });

  it('has one line per request: id, company, key, route, status and duration', async () => {
    const api = company.api.with({ 'x-request-id': 'log-success' });
    await api.post('/svc/survey/create', survey());
    expect(await service.log.requestLine('log-success')).toMatchObject({
      level: 'info',
      request_id: 'log-success',
      company_id: company.companyId,
      key_id: expect.stringMatching(/^key_/),
      method: 'POST',
      route: '/svc/survey/create',
      status: 200,
      duration_ms: expect.any(Number),
    });
  });

  it.each(['results', 'preview'])(
    'has the route of a page in place of its secret path: %s',
    async (kind) => {
      const { post_id } = (await company.api.post('/svc/survey/create', survey())).body.data;
      const created = await company.api.post(`/svc/campaign/${kind}-link`, { post_id });
      const { url } = created.body.data;
      for (const [id, address, status] of [
        [`log-page-${kind}`, url, 200],
        [`log-no-page-${kind}`, `${url}x`, 404],
        [`log-no-path-${kind}`, `${url}%zz`, 400],
      ] as const) {
        const response = await fetch(address, { headers: { 'x-request-id': id } });
        expect([id, response.status]).toEqual([id, status]);
        const { route } = await service.log.requestLine(id);
        expect([id, route]).toEqual([id, status === 400 ? null : `/${kind}/:token`]);
      }
      expect(service.log.text).not.toContain(url.split('l_')[1]);
    },
  );

  it('has the trace id of a valid traceparent header', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const client = (id: string, traceparent: string) =>
      service.client.with({ 'x-request-id': id, traceparent }).get('/health/live');
    await client('log-trace', `00-${trace}-00f067aa0ba902b7-01`);
    await client('log-no-trace', `00-${trace}-mark-01`);
    expect(await service.log.requestLine('log-trace')).toMatchObject({ trace_id: trace });
    expect(await service.log.requestLine('log-no-trace')).not.toHaveProperty('trace_id');
  });

  it.each([
    ['an unknown path', 'GET', '/svc/nowhere?api_key=csk_x', 404, 'route_not_found'],
    ['a wrong method', 'DELETE', '/svc/survey/create', 405, 'method_not_allowed'],
    ['a missing key', 'POST', '/svc/survey/create', 401, 'api_key_missing'],
    ['a path that cannot be decoded', 'GET', '/%zz', 400, 'validation_failed'],
  ])('has one line with the error code for %s', async (name, method, path, status, code) => {
    const requestId = `log-${name.replaceAll(' ', '-')}`;
    const client = service.client.with({ 'x-request-id': requestId });
    expect((await client.send(method, path)).status).toBe(status);
    expect(await service.log.requestLine(requestId)).toMatchObject({
      method,
      status,
      error_code: code,
    });
    expect(service.log.text).not.toContain('csk_x');
  });

  it('has an error line with the cause, at level error, for an internal error', async () => {
    await service.dataSource.query(
      `ALTER TABLE company ADD CONSTRAINT test_refuses_all CHECK (name = '') NOT VALID`,
    );
    const client = service.client.with({ 'x-request-id': 'log-fault' });
    const { status } = await client.post('/api/company/create', {
      name: MARK,
      email: 'fault@example.com',
      password: PASSWORD,
    });
    await service.dataSource.query('ALTER TABLE company DROP CONSTRAINT test_refuses_all');
    expect(status).toBe(500);
    expect(await service.log.requestLine('log-fault')).toMatchObject({
      level: 'error',
      status: 500,
    });
    const cause = service.log
      .lines()
      .find(({ request_id, err }) => request_id === 'log-fault' && err);
    expect(cause).toMatchObject({
      level: 'error',
      err: { code: '23514', constraint: 'test_refuses_all', table: 'company' },
    });
    expect(JSON.stringify(cause)).not.toMatch(/fault@example\.com|argon2id/);
  });

  it('has the cause in the line of a request that the database could not serve, and no stack', async () => {
    await service.dataSource.query(
      `CREATE FUNCTION test_full() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$`,
    );
    await service.dataSource.query(
      'CREATE TRIGGER test_full BEFORE INSERT ON campaign FOR EACH ROW EXECUTE FUNCTION test_full()',
    );
    const client = company.api.with({ 'x-request-id': 'log-full' });
    const { status } = await client.post('/svc/survey/create', survey());
    const ready = (await service.client.get('/health/ready')).body;
    await service.dataSource.query('DROP TRIGGER test_full ON campaign');
    await service.dataSource.query('DROP FUNCTION test_full');
    expect(status).toBe(503);
    expect(await service.log.requestLine('log-full')).toMatchObject({
      level: 'warn',
      status: 503,
      error_code: 'service_unavailable',
      error_cause: '53100 could not extend file: No space left',
    });
    const lines = service.log.lines().filter(({ request_id }) => request_id === 'log-full');
    expect(lines).toHaveLength(1);
    expect(ready).toMatchObject({ success: true, data: { status: 'disk_full' } });
  });

  it('contains no password, key, token, credential header or body, at any level', async () => {
    const token = company.account.headers.authorization!.replace('Bearer ', '');
    const key = company.api.headers['x-api-key']!;
    const body = survey({ title: MARK });
    const requests = [
      company.api.post('/svc/survey/create', body),
      company.api.post('/svc/survey/create', { ...body, reward_amount: MARK, [MARK]: 1 }),
      company.api.post('/svc/survey/create', `{"title": "${MARK}", `),
      company.api.with({ 'content-type': 'text/plain' }).post('/svc/survey/create', MARK),
      company.api.patch('/svc/campaign/update', { post_id: MARK, title: MARK }),
      service.client.withKey(`${key}${MARK}`).post('/svc/survey/create', body),
      service.client.withToken(`${token}${MARK}`).post('/svc/api-key/generate', { name: MARK }),
      service.client.with({ authorization: `Basic ${MARK}` }).get('/api/company/me'),
      service.client.post('/api/company/login', { email: company.email, password: PASSWORD }),
      service.client.post('/api/company/login', { email: company.email, password: MARK }),
      company.account.get(`/api/company/me?token=${token}&note=${MARK}`),
      company.account.post('/svc/api-key/generate', { name: MARK }),
    ];
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual([
      200, 400, 400, 415, 404, 401, 401, 401, 200, 401, 400, 200,
    ]);

    // A database fault: the parameters of the failed statement contain the hash of a secret.
    await service.dataSource.query('ALTER TABLE api_key RENAME COLUMN prefix TO test_renamed');
    await service.dataSource.query('ALTER TABLE campaign RENAME COLUMN tagline TO test_renamed');
    const faults = await Promise.all([
      company.account.post('/svc/api-key/generate', { name: MARK }),
      company.api.post('/svc/survey/create', body),
    ]);
    await service.dataSource.query('ALTER TABLE api_key RENAME COLUMN test_renamed TO prefix');
    await service.dataSource.query('ALTER TABLE campaign RENAME COLUMN test_renamed TO tagline');
    expect(faults.map(({ status }) => status)).toEqual([500, 500]);

    for (const { body: answer } of [...answers, ...faults]) {
      if (answer.error !== undefined) {
        await service.log.requestLine(answer.error.request_id);
      }
    }
    const issued = [answers[8], answers[11]].map(({ body: { data } }: any) =>
      String(data.access_token ?? data.api_key),
    );
    for (const secret of [PASSWORD, key, token, ...issued, MARK, company.email, '$argon2id$']) {
      expect(secret.length).toBeGreaterThan(5);
      expect(service.log.text).not.toContain(secret);
    }
    expect(service.log.text.toLowerCase()).not.toMatch(
      /"(authorization|x-api-key|headers|parameters)"/,
    );
  });
});
