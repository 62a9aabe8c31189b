import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const DAY = 86_400_000;
const MAXIMUM = 20;

describe('links to results pages', () => {
  const company = companyForEach();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  const create = (fields: Record<string, unknown> = {}, api: Client = company.api) =>
    api.post('/svc/campaign/results-link', { post_id, ...fields });

  const revoke = (link_id: string) =>
    company.api.post('/svc/campaign/results-link/revoke', { link_id });

  const list = async (query = '') =>
    (await company.api.get(`/svc/campaign/results-link/list${query}`)).body.data;

  async function createMaximum(): Promise<any[]> {
    const links = [];
    while (links.length < MAXIMUM) {
      links.push((await create()).body.data);
    }
    return links;
  }

  /** Lets a link expire an hour ago. */
  const expire = (linkId: string) =>
    service.dataSource.query(
      `UPDATE results_link SET created_at = created_at - interval '40 days',
         expires_at = created_at - interval '1 hour'
       WHERE company_id = $1 AND link_id = $2`,
      [storedEnvironment(company.companyId), linkId],
    );

  it('work for 30 days and count all cohorts by default', async () => {
    const { status, body } = await create();
    expect([status, body.data]).toEqual([
      200,
      {
        link_id: expect.stringMatching(/^link_\w{26}$/),
        post_id,
        cohorts: [1, 2, 3, 4, 5],
        show: [],
        compare: null,
        created_at: expect.any(String),
        expires_at: expect.any(String),
        revoked_at: null,
        url: expect.stringMatching(/\/results\/crl_[0-9A-Za-z]{36}$/),
      },
    ]);
    const { created_at, expires_at, url } = body.data;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * DAY);
    expect(new URL(url).origin).toBe(service.client.url);
    expect((await fetch(url)).status).toBe(200);
  });

  it('keep the cohorts and the expiry that were asked for', async () => {
    const expires_at = new Date(Date.now() + 364 * DAY).toISOString();
    const { body } = await create({ cohorts: [5, 3], expires_at });
    expect(body.data).toMatchObject({ cohorts: [3, 5], expires_at });
  });

  it('are refused with a wrong expiry or cohort', async () => {
    const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    expectInvalid(await create({ expires_at: at(366) }), { expires_at: 'too_large' });
    expectInvalid(await create({ expires_at: at(-1) }), { expires_at: 'in_the_past' });
    for (const [cohorts, wrong] of [
      [[], { cohorts: 'too_few' }],
      [[1, 2, 3, 4, 5, 1], { cohorts: 'too_many' }],
      [[3, 6], { 'cohorts[1]': 'too_large' }],
      [[0], { 'cohorts[0]': 'too_small' }],
      [[3, 3], { 'cohorts[1]': 'duplicate' }],
      [['3'], { 'cohorts[0]': 'invalid_type' }],
      [[1.5], { 'cohorts[0]': 'not_an_integer' }],
      ['3,4', { cohorts: 'invalid_type' }],
    ] as const) {
      expectInvalid(await create({ cohorts }), wrong);
    }
    expect((await list()).items).toEqual([]);
  });

  it.each(['a b', 'h'.repeat(260), 'host:99999', '[::1', 'a%zz', 'a/b', 'a:b@c', 'a..b', '$(id)'])(
    'are not created for a Host header that is no address: %.20s',
    async (host) => {
      const { hostname, port } = new URL(service.client.url);
      const body = JSON.stringify({ post_id });
      const sent = request({
        ...{ hostname, port, method: 'POST', path: '/svc/campaign/results-link' },
        headers: { ...company.api.headers, host, 'content-type': 'application/json' },
      }).end(body);
      const [response] = await once(sent, 'response');
      expect([response.statusCode, await json(response)]).toEqual([
        400,
        expect.objectContaining({
          error: expect.objectContaining({
            details: [expect.objectContaining({ field: 'Host', code: 'not_allowed' })],
          }),
        }),
      ]);
      expect((await list()).items).toEqual([]);
    },
  );

  it('are created by a key that reads campaigns too, because their pages show one', async () => {
    const withScopes = async (...scopes: string[]) =>
      (await generateKey(company.account, service.client, { scopes })).api;
    const refused = await create({}, await withScopes('responses:read'));
    expectError(refused, 403, 'insufficient_scope');
    expect(refused.body.message).toBe('This API key does not have the scope campaigns:read.');
    expect((await create({}, await withScopes('campaigns:read', 'responses:read'))).status).toBe(
      200,
    );
  });

  it('are stored without their tokens', async () => {
    const { url } = (await create()).body.data;
    const token = url.split('/').at(-1)!;
    const [{ stored, hash }] = await service.dataSource.query(
      `SELECT to_jsonb(l)::text AS stored, encode(token_hash, 'hex') AS hash
       FROM results_link AS l WHERE company_id = $1`,
      [storedEnvironment(company.companyId)],
    );
    expect(stored).toContain(hash);
    expect(stored).not.toContain(token.slice(4, 20));
    expect(JSON.stringify(await list())).not.toContain(token.slice(4, 20));
  });

  it('are created once for an Idempotency-Key, with the same address', async () => {
    const api = company.api.with({ 'idempotency-key': 'once' });
    const { url } = (await create({}, api)).body.data;
    expect((await create({}, api)).body.data.url).toBe(url);
    expect((await list()).items).toHaveLength(1);
  });

  it('are at most 20 that work, for one campaign', async () => {
    const links = await createMaximum();
    expectError(await create(), 422, 'too_many_results_links');
    const other = await createSurvey(company.api);
    expect((await create({ post_id: other.post_id })).status).toBe(200);
    // A later link takes the place of the one that has ended the longest ago.
    await revoke(links[7].link_id);
    await expire(links[3].link_id);
    for (const ended of [links[3], links[7]]) {
      const { data } = await create();
      const { items } = await list(`?post_id=${post_id}&limit=100`);
      expect(items).toHaveLength(MAXIMUM);
      const ids = items.map(({ link_id }: any) => link_id);
      expect(ids[0]).toBe(data.link_id);
      expect(ids).not.toContain(ended.link_id);
      expect((await fetch(ended.url)).status).toBe(404);
    }
    expectError(await create(), 422, 'too_many_results_links');
  });

  it('are listed page by page, newest first, and by campaign', async () => {
    const { post_id: other } = await createSurvey(company.api);
    const ids: string[] = [];
    for (const each of [post_id, other, post_id]) {
      ids.unshift((await create({ post_id: each })).body.data.link_id);
    }
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    const found = [...first.items, ...second.items].map(({ link_id }) => link_id);
    expect([found, second.next_cursor]).toEqual([ids, null]);
    expect((await list(`?post_id=${other}`)).items).toMatchObject([{ link_id: ids[1] }]);
    const stranger = await registerCompany(service.client);
    const path = `/svc/campaign/results-link/list?post_id=${other}`;
    expectError(await stranger.api.get(path), 403, 'campaign_not_owned');
  });

  it('stay as they are when they are revoked again', async () => {
    const { link_id } = (await create()).body.data;
    const { revoked_at } = (await revoke(link_id)).body.data;
    expect(revoked_at).toEqual(expect.any(String));
    expect((await revoke(link_id)).body.data.revoked_at).toBe(revoked_at);
    expectError(await revoke('link_01k9x2v8zdf3xbz0q4v5rk6t7m'), 404, 'results_link_not_found');
  });

  it('lead to the same page if they are wrong, revoked or expired', async () => {
    const [revoked, expired] = [(await create()).body.data, (await create()).body.data];
    await revoke(revoked.link_id);
    await expire(expired.link_id);
    const last = expired.url.at(-1) === 'x' ? 'y' : 'x';
    const pages = [];
    for (const url of [
      revoked.url,
      expired.url,
      expired.url.slice(0, -1) + last,
      revoked.url.replace('/crl_', '/csk_'),
      `${service.client.url}/results/x`,
      `${service.client.url}/results/x/`,
      `${service.client.url}/results/x/y`,
      `${service.client.url}/results/crl_${'0'.repeat(2_000)}`,
    ]) {
      const response = await fetch(url);
      const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(response.headers);
      pages.push([response.status, headers, await response.text()]);
    }
    expect(pages[0]).toEqual([
      404,
      expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }),
      expect.stringContaining('<h1>Page not found</h1>'),
    ]);
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
  });
});
