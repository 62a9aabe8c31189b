import { survey } from '../support/builders';
import { companyForEach, platformForAll } from '../support/fixtures';
import { start } from '../support/fielding';
import { expectError, expectInvalid } from '../support/refusals';
import { ATTRIBUTES, beginAs, countsOf, quota, targeting, WOMEN } from '../support/targeting';

describe('whom a campaign asks, in its document,', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const apply = (fields: Record<string, unknown>) =>
    company.api.put('/svc/campaign/apply', { external_ref: 'own', ...fields });
  const rules = (limit = 5) => targeting({ quotas: [quota('women', WOMEN, limit)] });
  const create = (fields: Record<string, unknown> = {}) =>
    apply({ ...survey({ type: 'survey' }), targeting: rules(), ...fields });

  it('is created, changed and removed with it', async () => {
    const created = await create();
    expect(created.data.changed_fields).toContain('targeting');
    expect(created.headers.get('etag')).toBe('"2"');
    const again = await create();
    expect(again.data).toMatchObject({ result: 'unchanged', changed_fields: [] });
    const { post_id } = created.data;
    const changed = await apply({ targeting: rules(6) });
    expect(changed.data).toMatchObject({ result: 'updated', changed_fields: ['targeting'] });
    expect(changed.headers.get('etag')).toBe('"3"');
    expect(await countsOf(company.api, post_id)).toEqual({ women: [0, 0, 6] });
    expect((await apply({ title: 'Another' })).data.changed_fields).toEqual(['title']);
    expect((await apply({ targeting: null })).data.changed_fields).toEqual(['targeting']);
    expect((await apply({ targeting: null })).data.result).toBe('unchanged');
    const { data } = await company.api.get(`/svc/campaign/${post_id}/targeting`);
    expect(data).toMatchObject({ targeting_version: 3, attributes: [], quotas: [] });
  });

  it('is not changed by a dry run', async () => {
    const { post_id } = (await create()).data;
    const dry = await apply({ targeting: rules(9), dry_run: true });
    expect(dry.data).toMatchObject({ result: 'updated', changed_fields: ['targeting'] });
    expect(await countsOf(company.api, post_id)).toEqual({ women: [0, 0, 5] });
  });

  it('is checked with its path', async () => {
    expectInvalid(
      await create({ targeting: targeting({ quotas: [quota('x', { town: ['a'] }, 1)] }) }),
      {
        'targeting.quotas[0].when.town': 'not_allowed',
      },
    );
    const { post_id } = (await create()).data;
    await start(company.api, post_id);
    await beginAs(platform, post_id, 'ann', { gender: 'female' });
    await beginAs(platform, post_id, 'bea', { gender: 'female' });
    const refused = await apply({ title: 'Another', targeting: rules(1) });
    expectError(refused, 422, 'quota_below_taken', [
      expect.objectContaining({ field: 'targeting.quotas[0].limit', code: 'too_small' }),
    ]);
    expect((await company.api.get(`/svc/campaign/${post_id}`)).data.title).toBe('Coffee habits');
  });

  it('is copied to a duplicate, without its counts', async () => {
    const { post_id } = (await create({ is_live: true })).data;
    await beginAs(platform, post_id, 'ann', { gender: 'female' });
    const copy = await company.api.post('/svc/campaign/duplicate', { post_id });
    const read = async (id: string) =>
      (await company.api.get(`/svc/campaign/${id}/targeting`)).data;
    const { post_id: copied } = copy.data;
    expect(await read(copied)).toEqual({ ...(await read(post_id)), post_id: copied });
    expect((await read(copied)).attributes).toEqual(ATTRIBUTES);
    expect(await countsOf(company.api, copied)).toEqual({ women: [0, 0, 5] });
  });
});
