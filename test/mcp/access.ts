import { Agent } from '../support/agents';
import { createSurvey } from '../support/builders';
import { companyForEach } from '../support/fixtures';
import { Instances } from '../support/instances';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { Answer, registerCompany } from '../support/client';
import { service } from '../support/service';

/** What every key sees. */
const ALWAYS = ['search_documentation', 'who_am_i'];

/** The tools that change something. */
const WRITES = ['apply_campaign', 'plan_campaign', 'start_campaign', 'stop_campaign'];

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the tools of an agent', () => {
  const company = companyForEach();

  const keyWith = (fields: Record<string, unknown>) =>
    generateKey(company.account, service.client, fields);
  const namesFor = async (fields: Record<string, unknown>) =>
    (await (await Agent.connect((await keyWith(fields)).api)).names()).toSorted();

  it('are at most 16, and say truly what they do', async () => {
    const agent = await Agent.connect((await keyWith({ mode: 'test' })).api);
    const tools = await agent.tools();
    expect(tools).toHaveLength(16);
    const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
    expect(changing.map(({ name }) => name).toSorted()).toEqual([
      'apply_campaign',
      'simulate_campaign',
      'start_campaign',
      'stop_campaign',
    ]);
    const destructive = tools.filter(({ annotations }) => annotations.destructiveHint);
    expect(destructive.map(({ name }) => name).toSorted()).toEqual([
      'apply_campaign',
      'start_campaign',
    ]);
    for (const { name, description, inputSchema, annotations } of tools) {
      expect([name, description.length < 900]).toEqual([name, true]);
      expect(annotations.idempotentHint).toBe(true);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toContain('$ref');
    }
    expect(JSON.stringify(tools).length).toBeLessThan(34_000);
  });

  it('are those that the scopes of the key allow', async () => {
    expect(await namesFor({ scopes: ['webhooks:read'] })).toEqual(ALWAYS);
    const reading = await namesFor({ scopes: ['campaigns:read'] });
    expect(reading).toEqual(
      [...ALWAYS, 'get_approvals', 'get_campaign', 'list_campaigns', 'list_guardrails'].toSorted(),
    );
    const all = await namesFor({});
    expect(all).toEqual(expect.arrayContaining(WRITES));
    expect(all).not.toContain('simulate_campaign');
    expect(await namesFor({ mode: 'test' })).toContain('simulate_campaign');
  });

  it('cannot be called without their scopes', async () => {
    const { api } = await keyWith({ scopes: ['campaigns:read'] });
    const agent = await Agent.connect(api);
    const { post_id } = await createSurvey(company.api, { max_responses: 1 });
    await expect(agent.call('start_campaign', { post_id })).rejects.toThrow(/not found/);
    expect((await api.get(`/svc/campaign/${post_id}`)).data.is_live).toBe(false);
  });

  it('do not reach the campaigns of another company, or of the other mode', async () => {
    const other = await registerCompany(service.client);
    const { post_id } = await createSurvey(other.api, { title: 'Secret plans' });
    const agent = await Agent.connect(company.api);
    const reads = ['get_campaign', 'get_results', 'list_responses', 'start_campaign'];
    for (const name of reads) {
      const refused = await agent.refused(name, { post_id });
      expect(JSON.stringify(refused)).not.toContain('Secret');
      expect(refused.code).toMatch(/^campaign_not_(found|owned)$/);
    }
    const own = await createSurvey(company.api);
    const test = await Agent.connect((await keyWith({ mode: 'test' })).api);
    const refused = await test.refused('get_campaign', { post_id: own.post_id });
    expect(refused.code).toBe('campaign_not_found');
    expect((await test.use('list_campaigns')).items).toEqual([]);
  });

  it('cannot leave their path by an identifier', async () => {
    const agent = await Agent.connect(company.api);
    for (const post_id of [
      '../api-key/list',
      '..',
      'list?limit=1',
      'x/history',
      'list',
      '%2e%2e',
    ]) {
      const { isError, text } = await agent.call('get_campaign', { post_id });
      expect([post_id, isError]).toEqual([post_id, true]);
      expect(text).toMatch(/^Input validation error|"campaign_not_found"/);
    }
  });

  it('refuse unknown and missing arguments', async () => {
    const agent = await Agent.connect(company.api);
    for (const args of [{}, { post_id: 1 }, { post_id: 'post_x', postId: 'post_x' }]) {
      const { isError, text } = await agent.call('get_campaign', args);
      expect([isError, text]).toEqual([true, expect.stringContaining('post_id')]);
    }
  });
});

describe('the route of agents', () => {
  const company = companyForEach();

  it('takes an API key in both headers, and no other credential', async () => {
    const bearer = await Agent.connect(company.api);
    const header = await Agent.connect(company.api, { bearer: false });
    expect(await bearer.names()).toEqual(await header.names());
    expectError(await service.client.post('/mcp', LIST), 401, 'api_key_missing');
    expectError(await company.account.post('/mcp', LIST), 401, 'api_key_invalid');
    const platform = await platformClient(service);
    expectError(await platform.post('/mcp', LIST), 403, 'insufficient_scope');
  });

  it('serves clients of 2025 too, without a session', async () => {
    const agent = await Agent.connect(company.api, { legacy: true });
    expect((await agent.names()).length).toBe(15);
    expect((await agent.use('who_am_i')).company.company_id).toBe(company.companyId);
    const client = service.client.with(company.api.headers);
    for (const method of ['GET', 'DELETE']) {
      expectError(await client.send(method, '/mcp'), 405, 'method_not_allowed');
    }
  });

  it('does each operation, whatever Idempotency-Key the client sends with every request', async () => {
    const { post_id } = await createSurvey(company.api, { max_responses: 1 });
    const agent = await Agent.connect(company.api, { also: { 'idempotency-key': 'always' } });
    for (const [name, is_live] of [
      ['start_campaign', true],
      ['stop_campaign', false],
      ['start_campaign', true],
    ] as const) {
      expect(await agent.use(name, { post_id })).toMatchObject({ is_live });
      expect((await company.api.get(`/svc/campaign/${post_id}`)).data.is_live).toBe(is_live);
    }
  });

  it('takes one message at a time', async () => {
    const client = service.client.with(company.api.headers);
    expectInvalid(await client.post('/mcp', [LIST, LIST]), { '': 'invalid_type' });
  });

  it('lets nobody listen for changes of the tools, which never change', async () => {
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const response = await fetch(`${service.client.url}/mcp`, {
      method: 'POST',
      headers: {
        ...company.api.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(listen),
    });
    expect(await response.text()).toContain('Subscription limit reached');
  });

  it('waits for no share of the connections that it holds itself', async () => {
    const agent = await Agent.connect(company.api);
    await Promise.all(Array.from({ length: 40 }, () => agent.use('list_campaigns')));
  });
});

describe('instances', () => {
  const instances = new Instances();

  afterAll(() => instances.drop());

  it('count each call, and each operation that it uses, against the key', async () => {
    const limits = { RATE_LIMIT_ENABLED: 'true', RATE_LIMIT_PER_KEY: '20' };
    const { client } = await instances.start({ ...(await instances.database()), ...limits });
    const { api } = await registerCompany(client);
    const agent = await Agent.connect(api);
    const list = () => client.with(api.headers).post('/mcp', LIST);
    const left = ({ headers }: Answer) =>
      Number(/"key";r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    const before = left(await list());
    await agent.use('list_campaigns');
    expect(left(await list())).toBe(before - 3);
    while (left(await list()) > 1);
    const refused = await agent.refused('list_campaigns');
    expect(refused).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) });
    expectError(await list(), 429, 'rate_limited');
    await instances.stop();
  });

  it('serve the calls of one agent in turn, or none with MCP_ENABLED=false', async () => {
    const database = await instances.database();
    const first = await instances.start(database);
    const company = await registerCompany(first.client);
    const agent = await Agent.connect(company.api);
    const document = { external_ref: 'a', type: 'survey', ...minimal };
    const { plan_id } = await agent.use('plan_campaign', { document });
    await instances.stop();
    const second = await instances.start(database);
    const elsewhere = await Agent.connect(second.client.with(company.api.headers));
    const applied = await elsewhere.use('apply_campaign', { plan_id, document });
    expect(applied.result).toBe('created');
    await instances.stop();
    const without = await instances.start({ ...database, MCP_ENABLED: 'false' });
    const client = without.client.with(company.api.headers);
    expectError(await client.post('/mcp', LIST), 404, 'route_not_found');
  });
});

const minimal = {
  title: 'Coffee',
  description: 'About coffee.',
  category: 'food',
  tagline: 'Coffee?',
  reward_amount: 1,
  max_responses: 1,
};
