import { Client, registerCompany, TestCompany } from '../support/client';
import { createSurvey } from '../support/builders';
import { FaultyProxy } from '../support/faulty-proxy';
import { liveSurvey } from '../support/fielding';
import { untilNumbered } from '../support/numbering';
import { generatePlatformKey } from '../support/platforms';
import { installedSdk, Sdk } from '../support/sdk';
import { service } from '../support/service';

/** Campaigns called 1, 2, 3 and so on. */
async function createMany(api: Client, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await createSurvey(api, { title: String(number) });
  }
}

describe('lists of the SDK', () => {
  let sdk: Sdk;
  let proxy: FaultyProxy;
  let company: TestCompany;
  let client: InstanceType<Sdk['CampaignClient']>;

  beforeAll(async () => {
    ({ sdk } = await installedSdk());
    proxy = new FaultyProxy(service.client.url);
    company = await registerCompany(service.client);
    const apiKey = company.api.headers['x-api-key'];
    client = new sdk.CampaignClient({ baseUrl: await proxy.listen(), apiKey });
    await createMany(company.api, 25);
  }, 180_000);

  afterAll(() => proxy.close());

  const numbers = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => String(from - index));

  it('iterate over all pages and neither repeat nor miss items while others are created', async () => {
    const titles: string[] = [];
    for await (const { title } of client.campaigns.list({ limit: 4 })) {
      titles.push(title);
      if (titles.length % 4 === 0) {
        await createSurvey(company.api, { title: 'meanwhile' });
      }
    }
    expect(titles.filter((title) => /^\d+$/.test(title))).toEqual(numbers(25, 1));
  });

  it('send the filters with every page', async () => {
    proxy.plan();
    const filters = { limit: 10, is_live: false, category: 'food' };
    const titles: string[] = [];
    for await (const { title } of client.campaigns.list(filters)) {
      titles.push(title);
    }
    expect(titles.filter((title) => /^\d+$/.test(title))).toEqual(numbers(25, 1));
    const queries = proxy.requests.map(({ line }) => new URL(line.split(' ')[1]!, 'http://x'));
    expect(queries.length).toBeGreaterThanOrEqual(3);
    for (const { searchParams } of queries) {
      const { cursor: _, ...sent } = Object.fromEntries(searchParams);
      expect(sent).toEqual({ limit: '10', is_live: 'false', category: 'food' });
    }
  });

  it('return single pages', async () => {
    const first = await client.campaigns.list({ limit: 20 });
    expect([first.items.length, typeof first.next_cursor]).toEqual([20, 'string']);
    const second = (await first.nextPage())!;
    expect(second.next_cursor).toBeNull();
    expect(await second.nextPage()).toBeNull();
    const { etag, data } = await client.campaigns.list({ limit: 20 }).withResponse();
    expect([etag, data.items]).toEqual([undefined, first.items]);
    expect(Object.keys(JSON.parse(JSON.stringify(first)))).toEqual(['items', 'next_cursor']);
  });

  it('continue from a cursor', async () => {
    const { next_cursor } = await client.campaigns.list({ limit: 20 });
    const rest = client.campaigns.list({ limit: 20, cursor: next_cursor! });
    expect((await rest).items.at(-1)?.title).toBe('1');
  });

  it('return the items of all pages up to a limit as an array', async () => {
    const titles = async (limit: number) =>
      (await client.campaigns.list({ limit: 4, category: 'food' }).toArray({ limit }))
        .map(({ title }) => title)
        .filter((title) => /^\d+$/.test(title));
    expect((await titles(1_000)).slice(-25)).toEqual(numbers(25, 1));
    proxy.plan();
    expect(await client.campaigns.list({ limit: 4 }).toArray({ limit: 6 })).toHaveLength(6);
    expect(proxy.requests).toHaveLength(2);
    const wrong = new RangeError('limit must be a positive integer');
    for (const options of [{ limit: 0 }, { limit: 1.5 }, { limit: NaN }, {}, undefined]) {
      const listed = client.campaigns.list();
      await expect(listed.toArray(options as never)).rejects.toThrow(wrong);
      // Its request is under way, and would be one of the next test.
      await listed;
    }
  });

  it('iterate over pages', async () => {
    const sizes: number[] = [];
    for await (const { items } of client.campaigns.list({ limit: 10 }).pages()) {
      sizes.push(items.length);
    }
    expect(sizes.slice(0, 2)).toEqual([10, 10]);
  });

  it('request no page that the caller does not read', async () => {
    proxy.plan();
    for await (const _ of client.campaigns.list({ limit: 2 })) {
      break;
    }
    expect(proxy.requests).toHaveLength(1);
  });

  it('retry a page whose connection is cut', async () => {
    proxy.plan(undefined, 'cut inside the response', undefined, 'cut before the service');
    const titles: string[] = [];
    for await (const { title } of client.campaigns.list({ limit: 5 })) {
      titles.push(title);
    }
    expect(titles.filter((title) => /^\d+$/.test(title))).toEqual(numbers(25, 1));
  });

  it('stop between pages when the signal is aborted', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const all = async () => {
      for await (const { title } of client.campaigns.list({ limit: 5 }, controller)) {
        seen.push(title);
        if (seen.length === 5) {
          controller.abort();
        }
      }
    };
    await expect(all()).rejects.toBeInstanceOf(sdk.AbortedError);
    expect(seen).toHaveLength(5);
  });

  it('iterate over events, oldest first, page after page', async () => {
    const numbers: number[] = [];
    const types = ['campaign.created', 'campaign.updated'] as const;
    for await (const { items, covers, has_more } of client.events
      .list({ limit: 7, types })
      .pages()) {
      expect(covers.to).toBeGreaterThanOrEqual(items.at(-1)?.seq ?? 0);
      expect(items.length === 7 || !has_more).toBe(true);
      numbers.push(...items.map(({ seq }) => seq));
    }
    expect(numbers.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => index + 2));
  });

  it('end after the last event, also after a wait', async () => {
    await untilNumbered(service.dataSource, company.companyId);
    const { last_seq: after } = await client.events.list({ limit: 1 });
    const all = client.events.list({ after, wait_seconds: 1 }).toArray({ limit: 10 });
    expect(await all).toEqual([]);
  });

  it('iterate over responses, and add up the pages of a reconciliation', async () => {
    const { secret: platformKey } = await generatePlatformKey(service.dataSource);
    const platform = new sdk.PlatformClient({ baseUrl: service.client.url, platformKey });
    const postId = await liveSurvey(company);
    for (const respondent of ['one', 'two', 'three']) {
      await platform.submit(await platform.begin(postId, respondent), {
        attention_score: 5,
        answers: [],
      });
    }
    const respondents = new Set<string | null>();
    for await (const { respondent } of client.responses.list(postId, { limit: 1 })) {
      respondents.add(respondent);
    }
    expect(respondents.size).toBe(3);
    const ofTwoPages = new sdk.CampaignClient({
      baseUrl: 'https://example.com',
      apiKey: 'csk_x',
      fetch: (url) => {
        const isFirst = !url.includes('cursor=next');
        const differences = [{ field: isFirst ? 'hold' : 'settle' }];
        const data = { checked: 2, differences, next_cursor: isFirst ? 'next' : null };
        return Promise.resolve(Response.json({ success: true, message: 'Done.', data }));
      },
    });
    expect(await ofTwoPages.ledger.reconcile()).toEqual({
      checked: 4,
      differences: [{ field: 'hold' }, { field: 'settle' }],
    });
    const { data, response } = await client.ledger.reconcile().withResponse();
    expect([response.status, data]).toEqual([
      200,
      { checked: 3, currency: 'USD', differences: [] },
    ]);
  });

  it('return no items if nothing matches', async () => {
    const items: unknown[] = [];
    for await (const item of client.campaigns.list({ category: 'no such category' })) {
      items.push(item);
    }
    expect(items).toEqual([]);
  });
});
