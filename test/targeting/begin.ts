import { begin, begun, expectReconciled, expire, liveSurvey, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import {
  beginAs,
  countsOf,
  MEN,
  quota,
  setTargeting,
  targetedSurvey,
  WOMEN,
} from '../support/targeting';
import { eventually } from '../support/eventually';
import type { Answer } from '../support/client';

/** Expects a refusal that names its rule. */
function expectRefused({ status, body }: Answer, code: string, rule: string): void {
  expect([status, body.error]).toEqual([422, expect.objectContaining({ code, rule, details: [] })]);
}

describe('POST /svc/fielding/begin of a campaign with targeting', () => {
  const company = companyForAll();
  const platform = platformForAll();

  const adults = { all: [{ attribute: 'age', op: 'at_least', value: 18 }] };

  it('counts a respondent in every quota that matches', async () => {
    const postId = await targetedSurvey(company, {
      quotas: [
        quota('women', WOMEN, 10),
        quota('men', MEN, 10),
        quota('18 to 34', { age: [{ from: 18, to: 34 }] }, 5),
        quota('women 18 to 34', { ...WOMEN, age: [{ from: 18, to: 34 }] }, 3),
        quota('35 or 40', { age: [35, 40] }, 3),
      ],
    });
    expect((await beginAs(platform, postId, 'ann', { gender: 'female', age: 34 })).status).toBe(
      200,
    );
    expect((await beginAs(platform, postId, 'bob', { gender: 'male', age: 35 })).status).toBe(200);
    expect(await countsOf(company.api, postId)).toEqual({
      women: [1, 0, 9],
      men: [1, 0, 9],
      '18 to 34': [1, 0, 4],
      'women 18 to 34': [1, 0, 2],
      '35 or 40': [1, 0, 2],
    });
    await expectReconciled(company.api);
  });

  it('refuses whom a quota has no place for, as a whole, and names the quota', async () => {
    const postId = await targetedSurvey(company, {
      quotas: [quota('women', WOMEN, 1), quota('young', { age: [{ to: 30 }] }, 5)],
    });
    await beginAs(platform, postId, 'ann', { gender: 'female', age: 50 });
    expectRefused(
      await beginAs(platform, postId, 'cleo', { gender: 'female', age: 20 }),
      'quota_full',
      'women',
    );
    expect(await countsOf(company.api, postId)).toEqual({ women: [1, 0, 0], young: [0, 0, 5] });
    expect((await beginAs(platform, postId, 'dan', { gender: 'male', age: 20 })).status).toBe(200);
    await expectReconciled(company.api);
  });

  it('admits whom no quota matches, unless the campaign refuses them', async () => {
    const quotas = [quota('women', WOMEN, 1)];
    const open = await targetedSurvey(company, { quotas });
    expect((await begin(platform, open, 'ann')).status).toBe(200);
    const closed = await targetedSurvey(company, { quotas, other: 'refuse' });
    expectRefused(await begin(platform, closed, 'ann'), 'screened_out', 'other');
    expectRefused(
      await beginAs(platform, closed, 'ann', { gender: 'male' }),
      'screened_out',
      'other',
    );
    expect((await beginAs(platform, closed, 'ann', { gender: 'female' })).status).toBe(200);
  });

  it('screens out who does not meet a condition, and names it', async () => {
    const postId = await targetedSurvey(company, {
      screening: {
        all: [
          { attribute: 'age', op: 'at_least', value: 18, name: 'adults' },
          { attribute: 'age', op: 'at_most', value: 65 },
          { attribute: 'gender', op: 'none_of', value: ['other'] },
          { attribute: 'gender', op: 'is_not', value: 'male' },
        ],
      },
    });
    const refusal = (attributes: Record<string, unknown>, rule: string) =>
      beginAs(platform, postId, 'ann', attributes).then((answer) => {
        expectRefused(answer, 'screened_out', rule);
      });
    await refusal({ gender: 'female', age: 17 }, 'adults');
    await refusal({ gender: 'female' }, 'adults');
    await refusal({ gender: 'female', age: '30' }, 'adults');
    await refusal({ gender: 'female', age: 66 }, 'age at_most 65');
    await refusal({ age: 30 }, 'gender none_of other');
    await refusal({ gender: 'other', age: 30 }, 'gender none_of other');
    await refusal({ gender: 'male', age: 30 }, 'gender is_not male');
    const { status } = await beginAs(platform, postId, 'ann', {
      gender: ' female ',
      age: 65,
      shoe_size: 43,
    });
    expect(status).toBe(200);
    await eventually(async () => {
      const { data } = await company.api.get(`/svc/campaign/${postId}/quotas`);
      expect(data).toMatchObject({
        quotas: [],
        screened_out: [
          { rule: 'adults', refused: 3 },
          { rule: 'age at_most 65', refused: 1 },
          { rule: 'gender none_of other', refused: 2 },
          { rule: 'gender is_not male', refused: 1 },
        ],
      });
    });
  });

  it('lets through who meets any of the conditions, where any will do', async () => {
    const postId = await targetedSurvey(company, {
      screening: {
        any: [
          { attribute: 'gender', op: 'one_of', value: ['female', 'other'] },
          { attribute: 'age', op: 'is', value: 40 },
        ],
      },
    });
    expectRefused(
      await beginAs(platform, postId, 'ann', { gender: 'male', age: 41 }),
      'screened_out',
      'any',
    );
    expect((await beginAs(platform, postId, 'ann', { gender: 'male', age: 40 })).status).toBe(200);
    expect((await beginAs(platform, postId, 'bob', { gender: 'other' })).status).toBe(200);
  });

  it('returns the participation of who has begun, whatever the attributes are now', async () => {
    const postId = await targetedSurvey(company, {
      screening: adults,
      quotas: [quota('women', WOMEN, 1)],
    });
    const first = (await beginAs(platform, postId, 'ann', { gender: 'female', age: 30 })).data;
    const again = await beginAs(platform, postId, 'ann', { age: 3 });
    expect(again.data.participation_id).toBe(first.participation_id);
    expect(await countsOf(company.api, postId)).toEqual({ women: [1, 0, 0] });
  });

  it('says that the campaign is not live before it screens anybody', async () => {
    const postId = await targetedSurvey(company, { screening: adults });
    await company.api.patch('/svc/campaign/toggle-live', { post_id: postId, is_live: false });
    expectError(await begin(platform, postId, 'ann'), 422, 'campaign_not_live');
  });

  it('gives back the places of a quota that respondents have left', async () => {
    const postId = await targetedSurvey(company, { quotas: [quota('women', WOMEN, 1)] });
    const asWoman = (who: string) => beginAs(platform, postId, who, { gender: 'female' });
    const ann = (await asWoman('ann')).data;
    expectRefused(await asWoman('bea'), 'quota_full', 'women');
    await platform.post('/svc/fielding/abandon', {
      post_id: postId,
      participation_id: ann.participation_id,
    });
    const bea = (await asWoman('bea')).data;
    // By hand: whoever begins finds it before the service does.
    await expire(service.dataSource, bea.participation_id);
    const cleo = (await asWoman('cleo')).data;
    await submit(platform, cleo, 9);
    expect(await countsOf(company.api, postId)).toEqual({ women: [1, 1, 0] });
    expectRefused(await asWoman('dora'), 'quota_full', 'women');
    await platform.post('/svc/fielding/reverse', {
      post_id: postId,
      participation_id: cleo.participation_id,
      reason: 'Too fast',
    });
    expect(await countsOf(company.api, postId)).toEqual({ women: [0, 0, 1] });
    await submit(platform, (await asWoman('dora')).data, 9);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'dora' });
    expect(await countsOf(company.api, postId)).toEqual({ women: [0, 0, 1] });
    await asWoman('eva');
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'eva' });
    expect(await countsOf(company.api, postId)).toEqual({ women: [0, 0, 1] });
    await expectReconciled(company.api);
  });

  it('replays a screening, but not a full quota, for an Idempotency-Key', async () => {
    const postId = await targetedSurvey(company, {
      screening: adults,
      quotas: [quota('women', WOMEN, 1)],
    });
    const keyed = (key: string) => platform.with({ 'idempotency-key': `${postId}-${key}` });
    const child = () => beginAs(keyed('child'), postId, 'kid', { age: 8 });
    expectRefused(await child(), 'screened_out', 'age at_least 18');
    const replayed = await child();
    expectRefused(replayed, 'screened_out', 'age at_least 18');
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const ann = (await beginAs(platform, postId, 'ann', { gender: 'female', age: 30 })).data;
    const bea = () => beginAs(keyed('bea'), postId, 'bea', { gender: 'female', age: 30 });
    expectRefused(await bea(), 'quota_full', 'women');
    await platform.post('/svc/fielding/abandon', {
      post_id: postId,
      participation_id: ann.participation_id,
    });
    expect((await bea()).status).toBe(200);
    await eventually(async () => {
      const { data } = await company.api.get(`/svc/campaign/${postId}/quotas`);
      expect(data.screened_out).toEqual([{ rule: 'age at_least 18', refused: 1 }]);
      expect(data.quotas[0].refused).toBe(1);
    });
  });

  it('follows rules that another process has changed', async () => {
    const postId = await liveSurvey(company);
    await begun(platform, postId, 'ann');
    await setTargeting(company.api, postId, { screening: adults });
    expectRefused(await begin(platform, postId, 'bob'), 'screened_out', 'age at_least 18');
    await setTargeting(company.api, postId);
    expect((await begin(platform, postId, 'bob')).status).toBe(200);
  });
});
