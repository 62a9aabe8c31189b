import { begin, liveSurvey } from '../support/fielding';
import { Client, registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { generateKey } from '../support/keys';
import { createSurvey } from '../support/builders';
import { start } from '../support/fielding';
import { platformForAll } from '../support/fixtures';
import { service } from '../support/service';
import { beginAs, MEN, quota, setTargeting, targetedSurvey, WOMEN } from '../support/targeting';

describe('POST /svc/fielding/list', () => {
  const platform = platformForAll();
  let company: TestCompany;
  /** Campaigns by what they ask. */
  let posts: Record<string, string>;

  beforeAll(async () => {
    company = await registerCompany(service.client);
    posts = {
      everybody: await liveSurvey(company),
      adults: await targetedSurvey(company, {
        screening: { all: [{ attribute: 'age', op: 'at_least', value: 18 }] },
      }),
      women: await targetedSurvey(company, {
        quotas: [quota('women', WOMEN, 1)],
        other: 'refuse',
      }),
      balanced: await targetedSurvey(company, {
        quotas: [quota('women', WOMEN, 1), quota('men', MEN, 1)],
      }),
    };
  });

  /** What of these campaigns a respondent finds. */
  async function found(
    api: Client,
    attributes: Record<string, unknown> | undefined,
    named: Record<string, string>,
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await api.post('/svc/fielding/list', {
        respondent_id: 'ann',
        attributes,
        limit: 3,
        ...(cursor === undefined ? {} : { cursor }),
      });
      ids.push(...page.data.items.map(({ post_id }: { post_id: string }) => post_id));
      cursor = page.data.next_cursor;
    }
    return Object.keys(named).filter((name) => ids.includes(named[name]!));
  }

  it('leaves out what does not ask the respondent, or has no place left in a quota', async () => {
    await eventually(async () => {
      expect(await found(platform, { gender: 'female', age: 30 }, posts)).toEqual([
        'everybody',
        'adults',
        'women',
        'balanced',
      ]);
    });
    expect(await found(platform, { gender: 'male', age: 17 }, posts)).toEqual([
      'everybody',
      'balanced',
    ]);
    expect(await found(platform, undefined, posts)).toEqual(['everybody', 'balanced']);
    await beginAs(platform, posts.women!, 'zoe', { gender: 'female' });
    await beginAs(platform, posts.balanced!, 'zoe', { gender: 'female' });
    await eventually(async () => {
      expect(await found(platform, { gender: 'female', age: 30 }, posts)).toEqual([
        'everybody',
        'adults',
      ]);
    });
    expect(await found(platform, { gender: 'male', age: 30 }, posts)).toEqual([
      'everybody',
      'adults',
      'balanced',
    ]);
  });

  it('has in the list without attributes what asks everybody', async () => {
    const { data } = await platform.get('/svc/fielding/list?respondent_id=bob&limit=100');
    const ids = data.items.map(({ post_id }: { post_id: string }) => post_id);
    expect(ids).toEqual(expect.arrayContaining([posts.everybody, posts.balanced]));
    expect(ids).not.toContain(posts.adults);
  });

  it('agrees with begin about the rules of the moment, for a test key', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const { post_id } = await createSurvey(api);
    await start(api, post_id);
    const asks = async (age: number) => (await found(api, { age }, { post_id })).length === 1;
    for (const minimum of [18, 21, 19]) {
      await setTargeting(api, post_id, {
        screening: { all: [{ attribute: 'age', op: 'at_least', value: minimum }] },
      });
      for (const age of [18, 19, 20, 21]) {
        const { status } = await beginAs(api, post_id, `${minimum} ${age}`, { age });
        expect([minimum, age, await asks(age)]).toEqual([minimum, age, status === 200]);
      }
    }
    expect((await begin(api, post_id, 'nobody')).status).toBe(422);
  });
});
