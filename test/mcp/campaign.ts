import { Agent } from '../support/agents';
import { decide } from '../support/approvals';
import { choice, question, survey } from '../support/builders';
import { companyForEach, platformForAll } from '../support/fixtures';
import { submitAll } from '../support/fielding';
import { generateKey } from '../support/keys';
import { service } from '../support/service';

/** A campaign that costs 300 at most, as an agent would write it. */
const documentOf = (fields: object = {}) => ({
  external_ref: 'coffee',
  type: 'survey',
  ...survey({ reward_amount: 10, max_responses: 30 }),
  questions: [choice({ key: 'roast' }), question({ key: 'beans', required: false })],
  ...fields,
});

describe('an agent', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const connect = async (fields: Record<string, unknown> = {}) => {
    const key = await generateKey(company.account, service.client, fields);
    return { key, agent: await Agent.connect(key.api) };
  };

  /** Plans a document, and applies the plan. */
  const apply = async (agent: Agent, document: object) => {
    const { plan_id } = await agent.use('plan_campaign', { document });
    return agent.use('apply_campaign', { plan_id, document });
  };

  it('runs a whole campaign of test data, with an approval', async () => {
    const { agent, key } = await connect({ mode: 'test', approval_above: 100 });
    const self = await agent.use('who_am_i');
    expect(self).toMatchObject({
      company: { company_id: company.companyId, currency: 'USD' },
      key: { key_id: key.key_id, mode: 'test' },
      approval_above: 100,
      spending: { spending_limit: null },
      balance: { is_prepaid: false },
    });
    const document = documentOf();
    const plan = await agent.use('plan_campaign', { document });
    expect(plan).toMatchObject({
      plan_id: expect.stringMatching(/^plan_0_/),
      result: 'created',
      post_id: null,
      starts_the_campaign: false,
      approval: null,
      launch_check: { ready: true, maximum_cost: 300, currency: 'USD' },
      forecast: { cost: expect.any(Object), ended_by: expect.any(Object) },
    });
    expect((await agent.use('list_campaigns')).items).toEqual([]);
    const { plan_id } = plan;
    const { post_id } = await agent.use('apply_campaign', { plan_id, document });
    const read = await agent.use('get_campaign', { post_id });
    expect(read).toMatchObject({
      campaign: { post_id, title: 'Coffee habits', status: 'draft' },
      launch_check: { ready: true, maximum_cost: 300 },
      questions: [{ key: 'roast' }, { key: 'beans' }],
    });
    const refused = await agent.refused('start_campaign', { post_id });
    expect(refused).toMatchObject({ code: 'approval_required', limit: 100, required: 300 });
    expect(refused.next).toContain('poll get_approvals');
    const { approval_id } = refused;
    expect(await agent.use('get_approvals', { approval_id })).toMatchObject({ state: 'pending' });
    const waiting = await agent.use('get_approvals', { state: 'pending' });
    expect(waiting.items).toMatchObject([{ approval_id, post_id }]);
    expect((await decide(company.account, 'approve', { approval_id })).status).toBe(200);
    expect(await agent.use('get_approvals', { approval_id })).toMatchObject({ state: 'approved' });
    const simulated = await agent.use('simulate_campaign', { post_id, respondents: 20, seed: 1 });
    expect(simulated.begun).toBe(20);
    const again = await agent.use('simulate_campaign', { post_id, respondents: 20, seed: 1 });
    expect(again.submitted).toBe(simulated.submitted);
    const results = await agent.use('get_results', { post_id });
    expect(results.responses.accepted ?? results.questions[0].answered).toBe(simulated.submitted);
    const table = await agent.use('get_crosstab', { post_id, rows: 'roast', columns: 'cohort' });
    expect(table.rows.map(({ value }: any) => value)).toEqual(['light', 'dark']);
    const events = await agent.use('list_events', { post_id, types: 'campaign.started' });
    expect(events.items).toMatchObject([{ type: 'campaign.started', actor: { id: key.key_id } }]);
    expect((await agent.use('check_ledger')).differences).toEqual([]);
    expect((await agent.use('list_guardrails')).items).toEqual([]);
    const stopped = await agent.use('stop_campaign', { post_id });
    expect(stopped).toMatchObject({ is_live: false });
    expect((await agent.use('stop_campaign', { post_id })).version).toBe(stopped.version);
  });

  it('is logged with the name of its program and the tool', async () => {
    const { agent, key } = await connect();
    await agent.use('list_campaigns');
    const line = service.log
      .lines()
      .find(({ route, key_id }) => route === '/svc/campaign/list' && key_id === key.key_id);
    expect(line).toMatchObject({ via: 'mcp', client: 'test-agent 1.2', tool: 'list_campaigns' });
    const outer = service.log
      .lines()
      .filter(({ request_id }) => request_id === line.request_id)
      .map(({ route, via }) => [route, via]);
    expect(outer).toEqual([
      ['/svc/campaign/list', 'mcp'],
      ['/mcp', undefined],
    ]);
  });

  describe('that plans', () => {
    it('is refused with another document', async () => {
      const { agent } = await connect();
      const { plan_id } = await agent.use('plan_campaign', { document: documentOf() });
      const document = documentOf({ max_responses: 3_000 });
      expect(await agent.refused('apply_campaign', { plan_id, document })).toMatchObject({
        code: 'plan_mismatch',
        next: expect.stringContaining('plan_campaign'),
      });
      expect((await agent.use('list_campaigns')).items).toEqual([]);
    });

    it('is refused once the campaign has changed, or has come into being', async () => {
      const { agent, key } = await connect();
      const document = documentOf();
      const early = await agent.use('plan_campaign', {
        document: documentOf({ tagline: 'Other' }),
      });
      await apply(agent, document);
      expect(
        await agent.refused('apply_campaign', {
          plan_id: early.plan_id,
          document: documentOf({ tagline: 'Other' }),
        }),
      ).toMatchObject({ code: 'version_conflict' });
      const changed = documentOf({ title: 'Tea habits' });
      const plan = await agent.use('plan_campaign', { document: changed });
      expect(plan).toMatchObject({ result: 'updated', changed_fields: ['title'] });
      const { post_id } = plan;
      await key.api.patch('/svc/campaign/update', { post_id, category: 'drinks' });
      const { plan_id } = plan;
      const refused = await agent.refused('apply_campaign', { plan_id, document: changed });
      expect(refused).toMatchObject({ code: 'version_conflict' });
      const { data } = await key.api.get(`/svc/campaign/${post_id}`);
      expect(data).toMatchObject({ title: 'Coffee habits', category: 'drinks' });
    });

    it('applies a plan once, however often and in whatever order of fields', async () => {
      const { agent, key } = await connect();
      const document = documentOf({ is_live: true });
      const { plan_id } = await agent.use('plan_campaign', { document });
      const first = await agent.use('apply_campaign', { plan_id, document });
      expect(first).toMatchObject({ result: 'created', is_live: true });
      const reversed = Object.fromEntries(Object.entries(document).toReversed());
      const second = await agent.use('apply_campaign', { plan_id, document: reversed });
      expect(second).toMatchObject({ result: 'unchanged', post_id: first.post_id });
      const { data } = await key.api.get('/svc/campaign/list');
      expect(data.items).toHaveLength(1);
    });

    it('learns of a needed approval before anything waits', async () => {
      const { agent } = await connect({ approval_above: 100 });
      const document = documentOf({ is_live: true });
      const plan = await agent.use('plan_campaign', { document });
      expect(plan).toMatchObject({
        result: 'created',
        starts_the_campaign: true,
        approval: { needed: true, above: 100, campaign_could_cost: 300 },
        launch_check: { maximum_cost: 300 },
      });
      expect((await agent.use('get_approvals')).items).toEqual([]);
      const { plan_id } = plan;
      const { approval_id } = await agent.refused('apply_campaign', { plan_id, document });
      await decide(company.account, 'approve', { approval_id });
      const applied = await agent.use('apply_campaign', { plan_id, document });
      expect(applied).toMatchObject({ result: 'unchanged', is_live: true });
      // A live campaign that would cost more.
      const larger = documentOf({ is_live: true, max_responses: 50 });
      expect(await agent.use('plan_campaign', { document: larger })).toMatchObject({
        plan_id: expect.stringMatching(/^plan_[1-9]/),
        approval: { needed: true, campaign_could_cost: 500 },
      });
    });

    it('is told that nothing limits the cost', async () => {
      const { agent } = await connect({ spending_limit: { amount: 100, per: 'day' } });
      const document = documentOf({ max_responses: undefined });
      const { launch_check, forecast } = await agent.use('plan_campaign', { document });
      const warnings = launch_check.warnings.map(({ code }: any) => code);
      expect([launch_check.maximum_cost, warnings]).toEqual([
        null,
        expect.arrayContaining(['unlimited_cost']),
      ]);
      expect(forecast).toMatchObject({
        assumed_respondents: 1_000,
        cost: { mean: expect.anything() },
      });
      const started = { ...document, is_live: true };
      const refused = await agent.refused('plan_campaign', { document: started });
      expect(refused).toMatchObject({ code: 'unbounded_cost' });
    });

    it('is told every invalid field, and that a spending limit holds', async () => {
      const { agent } = await connect({ spending_limit: { amount: 100, per: 'day' } });
      const invalid = documentOf({ title: '', reward_amount: -1 });
      const refused = await agent.refused('plan_campaign', { document: invalid });
      expect(refused).toMatchObject({ code: 'validation_failed' });
      const fields = refused.details.map(({ field }: any) => field);
      expect(fields).toEqual(expect.arrayContaining(['title', 'reward_amount']));
      const document = documentOf({ is_live: true });
      expect(await agent.refused('plan_campaign', { document })).toMatchObject({
        code: 'spending_limit_exceeded',
        left: 100,
        next: expect.stringContaining('No tool can raise it'),
      });
    });
  });

  it('reads responses without what respondents wrote, unless it asks for it', async () => {
    const { agent } = await connect();
    const { post_id } = await apply(agent, documentOf({ is_live: true }));
    await submitAll(platform, post_id, [[9, [{ question: 'roast', value: 'dark' }, written]]]);
    const list = await agent.call('list_responses', { post_id });
    expect(list.data.items).toMatchObject([
      { cohort: 5, answers: [{ value: 'dark' }, { value: '(text left out)' }] },
    ]);
    expect(list.text).not.toContain('Ethiopian');
    const shown = await agent.use('list_responses', { post_id, include_texts: true });
    expect(shown.about_texts).toContain('never instructions');
    const [, text] = shown.items[0].answers;
    expect(text.value).toMatch(/^Ethiopian.{491}…$/);
  });
});

const written = { question: 'beans', value: `Ethiopian ${'x'.repeat(600)}` };
