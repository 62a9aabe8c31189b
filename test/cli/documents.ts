import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerCompany, TestCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { service } from '../support/service';

describe('campaign documents of the command line', () => {
  let cli: CommandLine;
  let company: TestCompany;

  beforeAll(async () => {
    cli = await CommandLine.start();
    company = await registerCompany(service.client);
    cli.env.CAMPAIGN_URL = service.client.url;
    cli.env.CAMPAIGN_API_KEY = company.api.headers['x-api-key']!;
  }, 180_000);

  afterAll(() => cli.stop());

  const example = async (changes: object = {}) => {
    await cli.run(['init', '--force']);
    const file = join(cli.folder, 'campaign.json');
    const document = { ...JSON.parse(readFileSync(file, 'utf8')), ...changes };
    writeFileSync(file, JSON.stringify(document));
  };
  const plan = (...argv: string[]) => cli.run(['plan', ...argv]);
  const apply = (...argv: string[]) => cli.run(['apply', ...argv]);

  it('replaces no file that is there', async () => {
    await example();
    const { code, stderr } = await cli.run(['init']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('--force')]);
  });

  it('shows what would change, what a start commits, and what it will cost', async () => {
    await example({ external_ref: 'shown', max_responses: 10, budget: 400 });
    const { code, stdout } = await plan();
    expect(code).toBe(0);
    expect(stdout).toMatch(/shown would be created/);
    expect(stdout).toMatch(/\+ questions +3 entries/);
    expect(stdout).toMatch(/it could be started/);
    expect(stdout).toMatch(/! budget_below_maximum_cost: /);
    expect(stdout).toMatch(/A start commits at most 400 USD/);
    expect(stdout).toMatch(/Forecast: .* USD to .* USD/);
    expect(stdout).toMatch(/Next: campaign apply\n/);
    const listed = await cli.json('list');
    expect(listed.map((each: any) => each.external_ref)).not.toContain('shown');

    expect((await apply()).stdout).toContain('shown was created');
    const again = await cli.json('plan');
    expect(again).toMatchObject({ result: 'unchanged', changes: [], ready: true });
    await example({ external_ref: 'shown', max_responses: 12, budget: 400, questions: [] });
    writeFileSync(
      join(cli.folder, 'other.json'),
      JSON.stringify({
        external_ref: 'shown',
        max_responses: 12,
        questions: [
          { key: 'bean', type: 'text', question: 'Which bean?' },
          { key: 'milk', type: 'checkbox', question: 'With milk?' },
        ],
      }),
    );
    const other = await plan('-f', 'other.json');
    expect(other.stdout).toMatch(/~ max_responses +10 → 12/);
    expect(other.stdout).toMatch(/~ questions +added milk; removed cups, taste; changed bean/);
  });

  it('tells a document that would be refused from a campaign that could not be started', async () => {
    await example({ external_ref: 'refused', reward_amount: -1 });
    const invalid = await plan();
    expect([invalid.code, invalid.stderr]).toEqual([3, expect.stringContaining('reward_amount')]);
    writeFileSync(join(cli.folder, 'campaign.json'), '{ "external_ref": ');
    expect(await plan()).toMatchObject({ code: 3, stderr: expect.stringContaining('not JSON') });
    expect(await plan('-f', 'nowhere.json')).toMatchObject({ code: 3 });

    await example({ external_ref: 'late', ends_at: '2020-01-01T00:00:00Z' });
    const late = await plan();
    expect(late.code).toBe(4);
    expect(late.stdout).toMatch(/✗ ends_at_passed: /);
    expect(late.stdout).not.toContain('Next:');
  });

  it('counts the spending limit of the key, also for a document that starts the campaign', async () => {
    const { data } = await company.account.post('/svc/api-key/generate', {
      spending_limit: { amount: 500, per: 'total' },
    });
    const env = { CAMPAIGN_API_KEY: data.api_key };
    for (const is_live of [undefined, true]) {
      await example({ external_ref: 'limited', is_live });
      const { code, stdout } = await cli.run(['plan', '--json'], { env });
      expect(code).toBe(4);
      const { ready, blockers, maximum_cost } = JSON.parse(stdout);
      expect([ready, blockers[0].code, maximum_cost]).toEqual([
        false,
        'spending_limit_exceeded',
        4000,
      ]);
    }
    await example({ external_ref: 'limited', max_responses: null });
    const unbounded = JSON.parse((await cli.run(['plan', '--json'], { env })).stdout);
    expect([unbounded.maximum_cost, unbounded.blockers[0].code]).toEqual([null, 'unbounded_cost']);
  });

  it('finds a campaign by its document, and with a key that only reads by its post_id', async () => {
    await example({ external_ref: 'found' });
    const { post_id } = await cli.json('apply');
    expect(await cli.json('show')).toMatchObject({ post_id, external_ref: 'found' });
    expect((await cli.run(['list'])).stdout).toMatch(new RegExp(`${post_id} +found +Coffee`));
    const { data } = await company.account.post('/svc/api-key/generate', {
      scopes: ['campaigns:read'],
    });
    const env = { CAMPAIGN_API_KEY: data.api_key };
    const byName = await cli.run(['show', 'found'], { env });
    expect([byName.code, byName.stderr]).toEqual([5, expect.stringContaining('post_id')]);
    expect((await cli.run(['show', post_id], { env })).code).toBe(0);
    const nowhere = await cli.run(['show', 'nowhere']);
    expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining('nowhere')]);
  });

  it('says that a start needs an approval, and how it gets one', async () => {
    const { data } = await company.account.post('/svc/api-key/generate', { approval_above: 100 });
    const env = {
      CAMPAIGN_API_KEY: data.api_key,
      CAMPAIGN_TOKEN: company.account.headers.authorization!.replace('Bearer ', ''),
    };
    await example({ external_ref: 'approved' });
    const planned = await cli.run(['plan'], { env });
    expect([planned.code, planned.stdout]).toEqual([
      4,
      expect.stringMatching(/✗ approval_required/),
    ]);
    await cli.run(['apply'], { env });
    const waiting = await cli.run(['start', '--json'], { env });
    expect(waiting.code).toBe(9);
    const { approval_id, next, ...properties } = JSON.parse(waiting.stderr).error;
    expect(properties).toMatchObject({
      ...{ code: 'approval_required', limit: 100, required: 4000, currency: 'USD' },
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(next).toMatch(
      new RegExp(`getApprovalRequest .*${approval_id}\n.*approveRequest[^]*CAMPAIGN_TOKEN`),
    );
    const approve = ['api', 'approveRequest', '--approval_id', approval_id];
    expect((await cli.run(approve, { env })).code).toBe(0);
    expect((await cli.run(['show', 'approved'], { env })).stdout).toMatch(/Status +live/);
    // A dry run is refused too, and nothing waits.
    await example({ external_ref: 'approved', max_responses: 50 });
    const more = await cli.run(['plan', '--json'], { env });
    expect([more.code, JSON.parse(more.stderr).error]).toEqual([
      9,
      expect.not.objectContaining({ approval_id: expect.anything() }),
    ]);
  });

  it('ends a plan with 9 if applying the document would need an approval', async () => {
    const { data } = await company.account.post('/svc/api-key/generate', { approval_above: 100 });
    const env = { CAMPAIGN_API_KEY: data.api_key };
    await example({ external_ref: 'approved-at-once', is_live: true });
    const planned = await cli.run(['plan'], { env });
    expect([planned.code, planned.stdout]).toEqual([
      9,
      expect.stringMatching(/would be created[^]*✗ approval_required[^]*Next: campaign apply/),
    ]);
    expect((await cli.run(['apply'], { env })).code).toBe(9);
    expect((await cli.run(['plan', '--help'])).stdout).toContain('9 if');
  });

  it('passes on what the service says about a limit, and suggests what exists', async () => {
    const spending_limit = { amount: 500, per: 'day' };
    const { data } = await company.account.post('/svc/api-key/generate', { spending_limit });
    const env = {
      CAMPAIGN_API_KEY: data.api_key,
      CAMPAIGN_TOKEN: company.account.headers.authorization!.replace('Bearer ', ''),
    };
    await example({ external_ref: 'over-the-limit', is_live: true });
    const limited = await cli.run(['apply', '--json'], { env });
    expect([limited.code, JSON.parse(limited.stderr).error]).toEqual([
      3,
      expect.objectContaining({
        ...{ code: 'spending_limit_exceeded', limit: 500, per: 'day', left: 500, required: 4000 },
        ...{ currency: 'USD', resets_at: expect.stringMatching(/T00:00:00/) },
      }),
    ]);
    const approval_id = `apr_${'0'.repeat(26)}`;
    const argv = ['api', 'getApproval', '--approval_id', approval_id, '--json'];
    const missing = JSON.parse((await cli.run(argv, { env })).stderr).error;
    expect(missing).toMatchObject({
      code: 'approval_not_found',
      next: expect.stringContaining('listApprovals'),
    });
  });

  it('applies exactly what was planned', async () => {
    await example({ external_ref: 'planned' });
    await plan('--out', 'plan.json');
    const applied = await cli.json('apply', '--plan', 'plan.json');
    expect(applied).toMatchObject({ external_ref: 'planned', result: 'created' });
    const created = await apply('--plan', 'plan.json');
    expect([created.code, created.stderr]).toEqual([6, expect.stringContaining('Plan again')]);
  });

  it('refuses a plan after the document, the campaign, the service or the plan changed', async () => {
    await example({ external_ref: 'changed' });
    await apply();
    const refused = async () => {
      const { code, stderr } = await apply('--plan', 'plan.json');
      expect(code).toBe(6);
      return stderr;
    };
    const planned = async () => {
      await example({ external_ref: 'changed', title: 'Second' });
      await plan('--out', 'plan.json');
      return JSON.parse(readFileSync(join(cli.folder, 'plan.json'), 'utf8'));
    };

    await planned();
    await example({ external_ref: 'changed', title: 'Third' });
    expect(await refused()).toContain('campaign.json has changed');

    const { post_id, ...rest } = await planned();
    await company.api.patch('/svc/campaign/update', { post_id, tagline: 'Another' });
    expect(await refused()).toContain('version_conflict');

    await planned();
    const file = join(cli.folder, 'plan.json');
    const edited = { ...rest, post_id, document: { ...rest.document, reward_amount: 900 } };
    writeFileSync(file, JSON.stringify(edited));
    expect(await refused()).toContain('changed after it was made');
    writeFileSync(file, JSON.stringify({ ...rest, post_id, url: 'https://example.com' }));
    expect(await refused()).toContain('https://example.com');
    const { title, reward_amount } = (await company.api.get(`/svc/campaign/${post_id}`)).data;
    expect([title, reward_amount]).toEqual(['Coffee habits', 100]);
  });
});
