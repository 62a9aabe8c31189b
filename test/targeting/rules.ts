import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { companyForAll, platformForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { ATTRIBUTES, quota, setTargeting, WOMEN } from '../support/targeting';

describe('POST /svc/campaign/targeting', () => {
  const company = companyForAll();
  let postId: string;

  beforeEach(async () => {
    ({ post_id: postId } = await createSurvey(company.api));
  });

  const set = (fields: Record<string, unknown>) => setTargeting(company.api, postId, fields);
  const read = async () => (await company.api.get(`/svc/campaign/${postId}/targeting`)).data;

  it('stores the rules, and returns them as they are stored', async () => {
    expect(await read()).toEqual({
      post_id: postId,
      targeting_version: null,
      attributes: [],
      screening: null,
      screening_questions: [],
      qualify: null,
      screen_out_reward: null,
      maximum_screen_outs: null,
      quotas: [],
      other: 'admit',
      exclude: null,
      include: null,
      at_most: null,
      at_most_per_hour: null,
      warnings: [],
    });
    const answer = await set({
      screening: { all: [{ attribute: 'gender', op: 'is', value: ' female ' }] },
      quotas: [quota('young', { age: [{ from: -0, to: 34 }, 50] }, 5)],
      other: 'refuse',
      at_most_per_hour: 20,
    });
    const stored = {
      post_id: postId,
      targeting_version: 1,
      attributes: ATTRIBUTES,
      screening: { all: [{ attribute: 'gender', op: 'is', value: 'female' }] },
      quotas: [
        quota(
          'young',
          {
            age: [
              { from: 0, to: 34 },
              { from: 50, to: 50 },
            ],
          },
          5,
        ),
      ],
      other: 'refuse',
      screening_questions: [],
      qualify: null,
      screen_out_reward: null,
      maximum_screen_outs: null,
      exclude: null,
      include: null,
      at_most: null,
      at_most_per_hour: 20,
      warnings: [expect.objectContaining({ code: 'range_gap' })],
    };
    expect(answer.data).toEqual(stored);
    expect(Object.is(answer.data.quotas[0].when.age[0].from, 0)).toBe(true);
    expect(await read()).toEqual(stored);
    expect((await set({})).data).toMatchObject({ targeting_version: 2, quotas: [] });
  });

  it('increments the version of the campaign, and compares it with If-Match', async () => {
    const tagged = await set({});
    expect(tagged.headers.get('etag')).toBe('"2"');
    const conditional = (version: string) =>
      company.api
        .with({ 'if-match': version })
        .post('/svc/campaign/targeting', { post_id: postId, attributes: [] });
    expectError(await conditional('"1"'), 412, 'version_conflict');
    expect((await conditional('"2"')).headers.get('etag')).toBe('"3"');
    const { items } = (await company.api.get(`/svc/campaign/${postId}/history`)).data;
    expect(items.slice(0, 2).map(({ changes }: any) => changes)).toEqual([
      { targeting_version: { old: 1, new: 2 } },
      { targeting_version: { old: null, new: 1 } },
    ]);
  });

  it("refuses another company's campaign, and an unknown one", async () => {
    const other = await registerCompany(service.client);
    expectError(await setTargeting(other.api, postId), 403, 'campaign_not_owned');
    const path = `/svc/campaign/${postId}`;
    expectError(await other.api.get(`${path}/targeting`), 403, 'campaign_not_owned');
    expectError(await other.api.get(`${path}/quotas`), 403, 'campaign_not_owned');
    expectError(await setTargeting(other.api, 'post_unknown'), 404, 'campaign_not_found');
  });

  const rule = (fields: Record<string, unknown>) => ({
    screening: { all: [{ attribute: 'age', op: 'at_least', value: 18, ...fields }] },
  });
  const when = (choices: Record<string, unknown>, limit: unknown = 5) => ({
    quotas: [{ name: 'own', when: choices, limit }],
  });
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => quota(`quota ${index}`, WOMEN, 1));

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no attributes', { attributes: undefined }, { attributes: 'required' }],
    [
      'an attribute twice',
      { attributes: [ATTRIBUTES[1], ATTRIBUTES[1]] },
      { 'attributes[1].name': 'duplicate' },
    ],
    [
      'a number with values',
      { attributes: [{ name: 'age', type: 'number', values: ['1'] }] },
      { 'attributes[0].values': 'not_allowed' },
    ],
    [
      'the name of a built-in member',
      { attributes: [{ name: '__proto__', type: 'number' }] },
      { 'attributes[0].name': 'not_allowed' },
    ],
    [
      '21 attributes',
      { attributes: Array.from({ length: 21 }, (_, n) => ({ name: `a${n}`, type: 'number' })) },
      { attributes: 'too_many' },
    ],
    [
      'a condition on an unknown attribute',
      rule({ attribute: 'shoe_size' }),
      { 'screening.all[0].attribute': 'not_allowed' },
    ],
    [
      'a comparison of a select',
      rule({ attribute: 'gender', value: 'female' }),
      { 'screening.all[0].op': 'not_allowed' },
    ],
    [
      'a list of numbers',
      rule({ op: 'one_of', value: ['18'] }),
      { 'screening.all[0].op': 'not_allowed' },
    ],
    [
      'a list for one value',
      rule({ attribute: 'gender', op: 'is', value: ['female'] }),
      { 'screening.all[0].value': 'invalid_type' },
    ],
    [
      'one value for a list',
      rule({ attribute: 'gender', op: 'one_of', value: 'female' }),
      { 'screening.all[0].value': 'invalid_type' },
    ],
    [
      'a value outside the list',
      rule({ attribute: 'gender', op: 'one_of', value: ['female', 'f'] }),
      { 'screening.all[0].value[1]': 'not_allowed' },
    ],
    ['a text for a number', rule({ value: '18' }), { 'screening.all[0].value': 'invalid_type' }],
    [
      'a number that is not whole',
      rule({ value: 18.5 }),
      { 'screening.all[0].value': 'not_an_integer' },
    ],
    [
      'both all and any',
      { screening: { all: [], any: [] } },
      { 'screening.all': 'too_few', 'screening.any': 'too_few' },
    ],
    ['neither all nor any', { screening: {} }, { screening: 'not_allowed' }],
    [
      'a quota of an unknown attribute',
      when({ gendr: ['female'] }),
      { 'quotas[0].when.gendr': 'not_allowed' },
    ],
    [
      'a quota of a value outside the list',
      when({ gender: ['female', 'fem'] }),
      { 'quotas[0].when.gender[1]': 'not_allowed' },
    ],
    [
      'a quota of a number for a select',
      when({ gender: [1] }),
      { 'quotas[0].when.gender[0]': 'invalid_type' },
    ],
    [
      'a quota of a text for a number',
      when({ age: ['old'] }),
      { 'quotas[0].when.age[0]': 'invalid_type' },
    ],
    [
      'a range that ends before it begins',
      when({ age: [{ from: 35, to: 18 }] }),
      { 'quotas[0].when.age[0].to': 'too_small' },
    ],
    ['a range without ends', when({ age: [{}] }), { 'quotas[0].when.age[0]': 'required' }],
    [
      'a range with another field',
      when({ age: [{ from: 1, until: 2 }] }),
      { 'quotas[0].when.age[0].until': 'unknown_field' },
    ],
    [
      'a range with an end that is no number',
      when({ age: [{ from: null }] }),
      { 'quotas[0].when.age[0].from': 'invalid_type' },
    ],
    ['a quota of everybody', when({}), { 'quotas[0].when': 'too_few' }],
    ['a quota of nobody', when({ age: [] }), { 'quotas[0].when.age': 'too_few' }],
    ['a limit of 0', when(WOMEN, 0), { 'quotas[0].limit': 'too_small' }],
    ['a limit of negative zero', when(WOMEN, -0), { 'quotas[0].limit': 'too_small' }],
    ['a limit that is not whole', when(WOMEN, 1.5), { 'quotas[0].limit': 'not_an_integer' }],
    ['a pace of nobody', { at_most_per_hour: 0 }, { at_most_per_hour: 'too_small' }],
    [
      'another word than all',
      { exclude: { campaigns: 'any' } },
      { 'exclude.campaigns': 'not_allowed' },
    ],
    ['an exclusion of nobody', { exclude: { campaigns: [] } }, { 'exclude.campaigns': 'too_few' }],
    [
      'a campaign twice, and no days',
      { exclude: { campaigns: ['post_1', 'post_1'], within_days: 0 } },
      { 'exclude.campaigns[1]': 'duplicate', 'exclude.within_days': 'too_small' },
    ],
    [
      '101 campaigns',
      { exclude: { campaigns: Array.from({ length: 101 }, (_, n) => `post_${n}`) } },
      { 'exclude.campaigns': 'too_many' },
    ],
    [
      'cohorts that do not exist',
      { include: { campaign: 'post_1', cohorts: [0, 5, 5] } },
      { 'include.cohorts[0]': 'too_small', 'include.cohorts[2]': 'duplicate' },
    ],
    [
      'a campaign whose respondents are all excluded',
      { exclude: { campaigns: 'all' }, include: { campaign: 'post_1' } },
      { 'include.campaign': 'unreachable' },
    ],
    [
      'no responses, ever',
      { at_most: { responses: 0, per_days: -0 } },
      { 'at_most.responses': 'too_small', 'at_most.per_days': 'too_small' },
    ],
    ['a frequency without days', { at_most: { responses: 1 } }, { 'at_most.per_days': 'required' }],
    ['201 quotas', { quotas: many(201) }, { quotas: 'too_many' }],
    ['a name twice', { quotas: [...many(1), ...many(1)] }, { 'quotas[1].name': 'duplicate' }],
    ['an unknown field', { quota: [] }, { quota: 'unknown_field' }],
    ['others neither admitted nor refused', { other: 'ignore' }, { other: 'not_allowed' }],
    [
      'a quota that the screening leaves nobody for',
      {
        ...rule({ value: 50 }),
        quotas: [quota('young', { age: [{ to: 49 }] }, 5), quota('old', { age: [50] }, 5)],
      },
      { 'quotas[0].when': 'unreachable' },
    ],
    [
      'a quota that no condition of any leaves anybody for',
      {
        screening: { any: [{ attribute: 'gender', op: 'is', value: 'male' }] },
        quotas: [quota('women', WOMEN, 5)],
      },
      { 'quotas[0].when': 'unreachable' },
    ],
  ])('refuses %s, with its path', async (_, fields, wrong) => {
    expectInvalid(await set(fields), wrong);
    expect((await read()).targeting_version).toBeNull();
  });

  it('refuses rules that are too long', async () => {
    const quotas = many(200).map((each, index) => ({
      ...each,
      when: { town: Array.from({ length: 100 }, (__, n) => `town ${index} ${n}`) },
    }));
    const attributes = [{ name: 'town', type: 'select' }];
    expectInvalid(await set({ attributes, quotas: quotas.slice(0, 100) }), { quotas: 'too_large' });
    expect((await set({ attributes, quotas: quotas.slice(0, 30) })).status).toBe(200);
  });

  it('takes 200 quotas', async () => {
    expect((await set({ quotas: many(200) })).data.quotas).toHaveLength(200);
  });

  it('warns of ranges that overlap or leave a gap', async () => {
    const { warnings } = (
      await set({
        quotas: [
          quota('a', { age: [{ from: 18, to: 34 }] }, 1),
          quota('b', { ...WOMEN, age: [{ from: 18, to: 34 }] }, 1),
          quota('c', { age: [{ from: 34, to: 49 }] }, 1),
          quota('d', { age: [{ from: 51 }] }, 1),
        ],
      })
    ).data;
    expect(warnings.map(({ code, field }: any) => [code, field])).toEqual([
      ['ranges_overlap', 'quotas[2].when.age[0]'],
      ['range_gap', 'quotas[3].when.age[0]'],
    ]);
    expect(warnings[1].message).toContain('from 50 to 50');
  });
});

describe('the attributes of a respondent', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it.each<[string, unknown, Record<string, string>]>([
    ['are an object', ['female'], { attributes: 'invalid_type' }],
    ['have names of lower-case letters', { Age: 1 }, { 'attributes.Age': 'not_allowed' }],
    [
      'have no name of a built-in member',
      { constructor: 'x' },
      { 'attributes.constructor': 'unknown_field' },
    ],
    [
      'are texts or whole numbers',
      { age: 1.5, gender: true },
      { 'attributes.age': 'not_an_integer', 'attributes.gender': 'invalid_type' },
    ],
    ['are not empty', { gender: ' ' }, { 'attributes.gender': 'empty' }],
    [
      'are within the limits',
      { age: 1e12, gender: 'x'.repeat(101) },
      { 'attributes.age': 'too_large', 'attributes.gender': 'too_long' },
    ],
    [
      'are at most 50',
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, n])),
      { attributes: 'too_many' },
    ],
  ])('%s', async (_, attributes, wrong) => {
    const { post_id } = await createSurvey(company.api);
    expectInvalid(
      await platform.post('/svc/fielding/begin', { post_id, respondent_id: 'ann', attributes }),
      wrong,
    );
    expectInvalid(
      await platform.post('/svc/fielding/list', { respondent_id: 'ann', attributes }),
      wrong,
    );
  });
});
