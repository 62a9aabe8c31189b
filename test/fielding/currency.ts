import { ladder, survey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { violated } from '../support/constraints';
import { eventually } from '../support/eventually';
import { allEvents, feedPage } from '../support/feed';
import { begun, submit } from '../support/fielding';
import { guardrail, spent } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { placesOf } from '../../src/access/company/currency.field';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** The amounts of an object that are not in objects of their own. */
const AMOUNT =
  /^(reward|reward_amount|budget|spent|held|paid|earned|maximum_reward|maximum_cost|amount)$/;

/** Whether an object has amounts: under their names, or as the value of a metric. */
const hasAmounts = (value: object) =>
  Object.keys(value).some((name) => AMOUNT.test(name)) ||
  ('metric' in value && /^(spent|cost_per_response)$/.test(String(value.metric)));

/** The paths of objects with amounts that neither have a currency nor are in an object with one. */
function withoutCurrency(value: unknown, path = '', known = false): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const hasCurrency = known || 'currency' in value;
  return [
    ...(hasAmounts(value) && !hasCurrency ? [path] : []),
    ...Object.entries(value).flatMap(([name, each]) =>
      withoutCurrency(each, `${path}.${name}`, hasCurrency),
    ),
  ];
}

/** Every currency that stands anywhere in a value. */
function currenciesIn(value: unknown): unknown[] {
  return typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, each]) =>
        name === 'currency' ? [each] : currenciesIn(each),
      );
}

describe('the currency of a company', () => {
  let company: TestCompany;
  let tester: Client;
  let platform: Client;

  beforeAll(async () => {
    company = await registerCompany(service.client, { currency: 'EUR' });
    tester = (await generateKey(company.account, service.client, { mode: 'test' })).api;
    platform = await platformClient(service, 'currency');
  });

  /** Expects the currency beside every amount of a response. */
  async function expectEuros(answer: ReturnType<Client['get']>): Promise<any> {
    const { data } = await answer;
    expect(withoutCurrency(data)).toEqual([]);
    expect([...new Set(currenciesIn(data))]).toEqual(['EUR']);
    return data;
  }

  it.each([
    ['live', () => [company.api, platform]],
    ['test', () => [tester, tester]],
  ])('stands beside every amount of %s data', async (_, clients) => {
    const [api, app] = clients() as [Client, Client];
    const { post_id } = (await api.post('/svc/survey/create', survey())).body.data;
    const on = (fields: Record<string, unknown> = {}) => ({ post_id, ...fields });
    await expectEuros(api.patch('/svc/campaign/update', on({ reward_amount: 50, budget: 5_000 })));
    await expectEuros(api.patch('/svc/campaign/cohort-rewards', on(ladder(3, 20, 30, 40, 50))));
    await expectEuros(
      api.post('/svc/campaign/cohort-rewards/preview', {
        reward_amount: 10,
        cohort_shares: { cohort_1: 1, cohort_2: 0, cohort_3: 0, cohort_4: 0, cohort_5: 0 },
      }),
    );
    await expectEuros(api.get(`/svc/campaign/${post_id}/launch-check`));
    await expectEuros(api.post('/svc/campaign/forecast', on({ runs: 100 })));
    const rule = { then: 'notify', when: { all: [spent(10)] } };
    // A rule of all campaigns has the currency of the company.
    await expectEuros(api.post('/svc/guardrail/create', guardrail(rule)));
    await expectEuros(api.post('/svc/guardrail/create', guardrail(on(rule))));
    await api.patch('/svc/campaign/toggle-live', on({ is_live: true }));

    await eventually(async () => {
      const { items } = await expectEuros(app.get('/svc/fielding/list?respondent_id=ann&limit=1'));
      expect(items[0]).toMatchObject({ post_id });
    });
    const place = await begun(app, post_id, 'ann');
    expect(place).toMatchObject({ currency: 'EUR' });
    const { receipt } = await expectEuros(submit(app, place, 9));
    const claims = JSON.parse(Buffer.from(receipt.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ currency: 'EUR', reward: 50 });
    await expectEuros(app.get(`/svc/fielding/participation/${place.participation_id}`));
    const { earnings } = await expectEuros(app.get('/svc/fielding/respondent?respondent_id=ann'));
    expect(earnings.amounts).toEqual([{ currency: 'EUR', earned: 50, reversed: 0, held: 0 }]);
    const { participation_id } = place;
    await expectEuros(app.post('/svc/fielding/reverse', on({ participation_id, reason: 'A bot' })));

    await expectEuros(api.get(`/svc/campaign/${post_id}`));
    await expectEuros(api.get('/svc/campaign/list'));
    await expectEuros(api.get(`/svc/campaign/${post_id}/responses`));
    await expectEuros(api.get(`/svc/campaign/${post_id}/results`));
    await expectEuros(api.get('/svc/ledger/list'));
    await expectEuros(api.get('/svc/ledger/reconcile'));
    await eventually(async () => {
      const { items } = await expectEuros(api.get('/svc/guardrail/list'));
      expect(items.map(({ fired }: any) => fired?.values[0].value)).toEqual([50, 50]);
    });
    const history = await api.get(`/svc/campaign/${post_id}/history`);
    expect(history.body.data.items.map(({ currency }: any) => currency)).toEqual(
      Array<string>(3).fill('EUR'),
    );
    const events = await allEvents(api, 7);
    expect(events.map(({ type }) => type)).toContain('guardrail.triggered');
    expect(new Set(currenciesIn(events.map(({ changes: __, ...event }) => event)))).toEqual(
      new Set(['EUR']),
    );
    expect(events.map((event) => 'currency' in event)).not.toContain(false);
    const created = events.find(({ type }) => type === 'campaign.created');
    expect(created?.changes.currency).toEqual({ old: null, new: 'EUR' });
  });

  it('is a column of exports', async () => {
    const { post_id } = (await company.api.post('/svc/survey/create', survey())).body.data;
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    await submit(platform, await begun(platform, post_id, 'bob'), 9);
    await eventually(async () => {
      const { items } = await feedPage(company.api, { post_id, types: 'response.submitted' });
      expect(items).toHaveLength(1);
    });
    const path = `/svc/campaign/${post_id}/responses/export`;
    const text = async (format: string) =>
      (
        await fetch(`${company.api.url}${path}?format=${format}`, { headers: company.api.headers })
      ).text();
    const [row = ''] = (await text('ndjson')).split('\n');
    expect(JSON.parse(row)).toMatchObject({ currency: 'EUR', reward: 100 });
    const [head = '', line = ''] = (await text('csv')).split('\r\n');
    expect(line.split(',')[head.split(',').indexOf('currency')]).toBe('EUR');
  });

  it('is that of the made-up respondents of a simulation', async () => {
    const { post_id } = (await tester.post('/svc/survey/create', survey())).body.data;
    await tester.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    await expectEuros(tester.post('/svc/campaign/simulate', { post_id, respondents: 2, seed: 1 }));
  });

  describe('in a campaign document', () => {
    const document = (fields: Record<string, unknown>) => ({
      ...survey(),
      external_ref: 'coffee-2026',
      type: 'survey',
      ...fields,
    });

    it("is accepted if it is the company's", async () => {
      const applied = await company.api.put('/svc/campaign/apply', document({ currency: 'EUR' }));
      expect(applied.body.data).toMatchObject({ result: 'created' });
      const again = await company.api.put('/svc/campaign/apply', document({ currency: 'EUR' }));
      expect(again.body.data).toMatchObject({ result: 'unchanged' });
    });

    it.each([false, true])('is refused if it is another (dry_run %s)', async (dry_run) => {
      const other = document({ currency: 'USD', dry_run });
      expectError(await company.api.put('/svc/campaign/apply', other), 422, 'currency_mismatch', [
        expect.objectContaining({ field: 'currency', code: 'not_allowed' }),
      ]);
    });
  });

  describe('without a minor unit', () => {
    let api: Client;

    beforeAll(async () => {
      ({ api } = await registerCompany(service.client, { currency: 'JPY' }));
    });

    const create = async (fields = {}) =>
      (await api.post('/svc/survey/create', survey({ reward_amount: 99, ...fields }))).data.post_id;

    it('has computed rewards rounded half up to the unit (section 2.3)', async () => {
      const post_id = await create();
      const { data } = await api.get(`/svc/campaign/${post_id}`);
      expect(Object.values(data.cohort_rewards)).toEqual([3, 40, 59, 79, 99]);
      const preview = await api.post('/svc/campaign/cohort-rewards/preview', {
        reward_amount: 1,
        cohort_shares: { cohort_1: 0.5, cohort_2: 0, cohort_3: 0, cohort_4: 0, cohort_5: 0.5 },
      });
      expect(Object.values(preview.data.cohort_rewards)).toEqual([3, 0, 1, 1, 1]);
      expect(preview.data.expected_cost_per_response).toBe(2);
      const forecast = await api.post('/svc/campaign/forecast', {
        post_id,
        respondents: 30,
        runs: 100,
      });
      const amounts = ['cost', 'cost_per_response', 'held_in_vain', 'cost_histogram'];
      const numbers = JSON.stringify(amounts.map((name) => forecast.data[name]));
      expect(numbers).not.toMatch(/\d\.\d/);
      expect(forecast.data.cost.mean).toBeGreaterThan(30);
    });

    it('refuses given amounts with decimals, wherever they are', async () => {
      const post_id = await create();
      const wrong = async (answer: ReturnType<Client['get']>, ...fields: string[]) =>
        expectInvalid(
          await answer,
          Object.fromEntries(fields.map((field) => [field, 'too_precise'])),
        );
      const update = { post_id, reward_amount: 9.5, budget: 100.01 };
      await wrong(api.post('/svc/survey/create', survey({ budget: 0.5 })), 'budget');
      await wrong(api.patch('/svc/campaign/update', update), 'reward_amount', 'budget');
      await wrong(
        api.patch('/svc/campaign/cohort-rewards', { post_id, ...ladder(3.5, 40, 59.4, 79, 99) }),
        'cohort_1_reward',
        'cohort_3_reward',
      );
      await wrong(
        api.post('/svc/campaign/cohort-rewards/preview', { reward_amount: 0.4 }),
        'reward_amount',
      );
      const rule = guardrail({ then: 'notify', when: { all: [spent(10), spent(10.5)] } });
      await wrong(api.post('/svc/guardrail/create', rule), 'when.all[1].value');
      const document = {
        ...survey({ reward_amount: 9.5 }),
        external_ref: 'yen',
        type: 'survey',
        cohort_rewards: ladder(3, 4, 5, 6.5, 9.5),
        guardrails: [rule],
      };
      await wrong(
        api.put('/svc/campaign/apply', document),
        'reward_amount',
        'cohort_rewards.cohort_4_reward',
        'cohort_rewards.cohort_5_reward',
        'guardrails[0].when.all[1].value',
      );
    });

    it.each([
      'reward_amount = 9.5, cohort_rewards[5] = 9.5',
      'cohort_rewards[2] = 39.6',
      'budget = 1.5',
    ])('is held by the database: %s', async (change) => {
      const post_id = await create();
      const update = service.dataSource.query(`UPDATE campaign SET ${change} WHERE post_id = $1`, [
        post_id,
      ]);
      expect(await violated(update)).toBe('campaign_minor_unit');
    });

    it('is the same in the service and in the database', async () => {
      const currencies = Intl.supportedValuesOf('currency');
      const rows = await service.dataSource.query<{ currency: string; places: number }[]>(
        'SELECT currency, currency_places(currency) AS places FROM unnest($1::text[]) AS currency',
        [currencies],
      );
      expect(rows).toEqual(
        currencies.map((currency) => ({ currency, places: placesOf(currency) })),
      );
      expect(currencies.filter((currency) => placesOf(currency) === 0)).toContain('JPY');
      expect(['KWD', 'HUF', 'USD'].map(placesOf)).toEqual([2, 2, 2]);
    });
  });

  it.each(['company', 'campaign'])(
    'never changes in the table %s, whatever code writes to it',
    async (table) => {
      await company.api.post('/svc/survey/create', survey());
      const change = service.dataSource.query(
        `UPDATE ${table} SET currency = 'USD' WHERE company_id = $1`,
        [storedEnvironment(company.companyId)],
      );
      expect(await violated(change)).toBe('currency_fixed');
    },
  );
});
