import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const DAY = 86_400_000;
const MAXIMUM = 20;

describe('links to previews', () => {
  const company = companyForEach();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  const create = (fields: Record<string, unknown> = {}, api: Client = company.api) =>
    api.post('/svc/campaign/preview-link', { post_id, ...fields });

  const revoke = (link_id: string) =>
    company.api.post('/svc/campaign/preview-link/revoke', { link_id });

  const list = async (kind = 'preview') =>
    (await company.api.get(`/svc/campaign/${kind}-link/list`)).body.data.items;

  it('work for 30 days, in the language of the questions, by default', async () => {
    const { status, body } = await create();
    const { created_at, expires_at, url } = body.data;
    expect([status, body.data]).toEqual([
      200,
      {
        link_id: expect.stringMatching(/^link_\w{26}$/),
        post_id,
        created_at,
        expires_at,
        revoked_at: null,
        url: expect.stringMatching(/\/preview\/cpl_[0-9A-Za-z]{36}$/),
      },
    ]);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * DAY);
    expect((await fetch(url)).status).toBe(200);
  });

  it('keep the language and the expiry that were asked for', async () => {
    const expires_at = new Date(Date.now() + 364 * DAY).toISOString();
    const { body } = await create({ language: 'DE-at', expires_at });
    expect(body.data).toMatchObject({ language: 'de-AT', expires_at });
    expect(await list()).toMatchObject([{ language: 'de-AT' }]);
  });

  it('are refused with a wrong expiry or language, and for the campaign of another', async () => {
    const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    expectInvalid(await create({ expires_at: at(366) }), { expires_at: 'too_large' });
    expectInvalid(await create({ expires_at: at(-1) }), { expires_at: 'in_the_past' });
    expectInvalid(await create({ language: 'deutsch!' }), { language: 'invalid_language' });
    const stranger = await registerCompany(service.client);
    expectError(await create({}, stranger.api), 403, 'campaign_not_owned');
    const { api } = await generateKey(company.account, service.client, {
      scopes: ['campaigns:read'],
    });
    expectError(await create({}, api), 403, 'insufficient_scope');
    expect(await list()).toEqual([]);
  });

  it('are stored without their tokens, and are no links to results', async () => {
    const { url, link_id } = (await create()).body.data;
    const token = url.split('/').at(-1)!;
    const rows = await service.dataSource.query(
      'SELECT to_jsonb(l)::text AS stored FROM results_link AS l WHERE company_id = $1',
      [storedEnvironment(company.companyId)],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].stored).not.toContain(token.slice(4, 20));
    expect(await list('results')).toEqual([]);
    expect((await list()).map((each: any) => each.link_id)).toEqual([link_id]);
    expect((await fetch(url.replace('/preview/', '/results/'))).status).toBe(404);
    const wrong = await company.api.post('/svc/campaign/results-link/revoke', { link_id });
    expectError(wrong, 404, 'results_link_not_found');
  });

  it('are at most 20 that work, besides those to results', async () => {
    await company.api.post('/svc/campaign/results-link', { post_id });
    const links = [];
    while (links.length < MAXIMUM) {
      links.push((await create()).body.data);
    }
    expectError(await create(), 422, 'too_many_preview_links');
    await revoke(links[7].link_id);
    expect((await create()).status).toBe(200);
    expectError(await revoke(links[7].link_id), 404, 'preview_link_not_found');
    expect((await list('results')).length).toBe(1);
  });

  it('lead to the same page if they are wrong, revoked or expired', async () => {
    const [revoked, expired] = [(await create()).body.data, (await create()).body.data];
    const results = await company.api.post('/svc/campaign/results-link', { post_id });
    await revoke(revoked.link_id);
    await service.dataSource.query(
      `UPDATE results_link SET created_at = created_at - interval '40 days',
         expires_at = created_at - interval '1 hour'
       WHERE company_id = $1 AND link_id = $2`,
      [storedEnvironment(company.companyId), expired.link_id],
    );
    const last = expired.url.at(-1) === 'x' ? 'y' : 'x';
    const pages = [];
    for (const url of [
      revoked.url,
      expired.url,
      expired.url.slice(0, -1) + last,
      results.body.data.url.replace('/results/', '/preview/'),
      `${service.client.url}/preview/x`,
      `${service.client.url}/preview/x/`,
      `${service.client.url}/preview/x/y`,
      `${service.client.url}/preview/cpl_${'0'.repeat(2_000)}`,
    ]) {
      for (const method of url.endsWith('/') || url.endsWith('y') ? ['GET'] : ['GET', 'POST']) {
        const body = method === 'POST' ? new URLSearchParams({ step: 'next' }) : null;
        const response = await fetch(url, { method, body });
        const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(response.headers);
        pages.push([response.status, headers, await response.text()]);
      }
    }
    expect(pages[0]).toEqual([
      404,
      expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }),
      expect.stringContaining('<h1>Page not found</h1>'),
    ]);
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
  });
});
