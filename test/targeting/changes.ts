import { feedPage } from '../support/feed';
import { begun, expectReconciled, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { untilNumbered } from '../support/numbering';
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

describe('new rules of a campaign that is live', () => {
  const company = companyForEach();
  const platform = platformForAll();
  let postId: string;

  const set = (...quotas: unknown[]) => setTargeting(company.api, postId, { quotas });
  const counts = () => countsOf(company.api, postId);
  const asWoman = (who: string) => beginAs(platform, postId, who, { gender: 'female' });

  async function submitAs(who: string): Promise<string> {
    const place = (await asWoman(who)).data;
    expect((await submit(platform, place, 9)).status).toBe(200);
    return place.participation_id;
  }

  beforeEach(async () => {
    postId = await targetedSurvey(company, {
      quotas: [quota('women', WOMEN, 3), quota('men', MEN, 3)],
    });
    await submitAs('ann');
    await asWoman('bea');
  });

  it('leave those who have begun in the cells that they count in', async () => {
    await set(quota('women', MEN, 2), quota('all', { gender: ['male', 'female'] }, 9));
    expect(await counts()).toEqual({ women: [2, 1, 0], all: [0, 0, 9] });
    await beginAs(platform, postId, 'cleo', { gender: 'female' });
    expect(await counts()).toEqual({ women: [2, 1, 0], all: [1, 0, 8] });
    await expectReconciled(company.api);
  });

  it('cannot have a limit below what is taken', async () => {
    const before = (await company.api.get(`/svc/campaign/${postId}/targeting`)).data;
    const refused = await set(quota('men', MEN, 1), quota('women', WOMEN, 1));
    expectError(refused, 422, 'quota_below_taken', [
      {
        field: 'quotas[1].limit',
        code: 'too_small',
        message: 'quotas[1].limit must be at least the number of places that are taken.',
      },
    ]);
    expect((await company.api.get(`/svc/campaign/${postId}/targeting`)).data).toEqual(before);
    expect((await set(quota('women', WOMEN, 2))).status).toBe(200);
    expect((await asWoman('cleo')).body.error).toMatchObject({ code: 'quota_full', rule: 'women' });
  });

  it('remove a quota, and restore its counts with its name', async () => {
    await set(quota('men', MEN, 3));
    expect(await counts()).toEqual({ men: [0, 0, 3] });
    await submit(platform, await begun(platform, postId, 'bea'), 9);
    await expectReconciled(company.api);
    await set(quota('women', WOMEN, 5));
    expect(await counts()).toEqual({ women: [2, 2, 3] });
    await expectReconciled(company.api);
  });

  it('give the number of a removed quota to another one only once nobody counts in it', async () => {
    const numbers = async () => {
      const rows = await service.dataSource.query<{ name: string; cell: number }[]>(
        `SELECT q.name, q.cell FROM quota_cell AS q
         JOIN campaign AS c ON c.company_id = q.company_id AND c.id = q.campaign_id
         WHERE c.post_id = $1 ORDER BY q.cell`,
        [postId],
      );
      return rows.map(({ name, cell }) => [name, cell]);
    };
    await set(quota('a', MEN, 1), quota('b', MEN, 1));
    expect(await numbers()).toEqual([
      ['women', 1],
      ['a', 2],
      ['b', 3],
    ]);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'ann' });
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'bea' });
    await set(quota('b', MEN, 1), quota('c', MEN, 1));
    expect(await numbers()).toEqual([
      ['c', 1],
      ['b', 3],
    ]);
    // A reversed participation has its numbers still.
    const { data: dan } = await beginAs(platform, postId, 'dan', { gender: 'male' });
    await submit(platform, dan, 9);
    const { participation_id } = dan;
    await platform.post('/svc/fielding/reverse', {
      post_id: postId,
      participation_id,
      reason: 'Fraud',
    });
    await set(quota('d', MEN, 1));
    expect(await numbers()).toEqual([
      ['c', 1],
      ['d', 2],
      ['b', 3],
    ]);
  });

  it('write an event when a quota is filled, and when it is not any more', async () => {
    const events = async () => {
      await untilNumbered(service.dataSource, company.companyId);
      const { items } = await feedPage(company.api, { after: 0, limit: 1_000 });
      return items
        .filter(({ type }) => type.startsWith('quota.') || type === 'response.reversed')
        .map(({ type, changes }) =>
          type === 'response.reversed'
            ? [type]
            : [
                type,
                changes.name!.new,
                changes.limit!.new,
                changes.taken!.new,
                changes.submitted!.new,
              ],
        );
    };
    await set(quota('women', WOMEN, 2));
    expect(await events()).toEqual([]);
    const bea = await begun(platform, postId, 'bea');
    await submit(platform, bea, 9);
    await set(quota('women', WOMEN, 4));
    await set(quota('women', WOMEN, 2));
    const { participation_id } = bea;
    await platform.post('/svc/fielding/reverse', {
      post_id: postId,
      participation_id,
      reason: 'x',
    });
    await submitAs('cleo');
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'cleo' });
    expect(await events()).toEqual([
      ['quota.filled', 'women', 2, 2, 2],
      ['quota.reopened', 'women', 4, 2, 2],
      ['quota.filled', 'women', 2, 2, 2],
      ['response.reversed'],
      ['quota.reopened', 'women', 2, 1, 1],
      ['quota.filled', 'women', 2, 2, 2],
      ['quota.reopened', 'women', 2, 1, 1],
    ]);
    const { quotas } = (await company.api.get(`/svc/campaign/${postId}/quotas`)).data;
    const about = await feedPage(company.api, { after: 0, subject: quotas[0].quota_id });
    expect(about.items).toHaveLength(6);
    expect(about.items[0]).toMatchObject({ type: 'quota.filled', actor: { type: 'service' } });
  });
});
