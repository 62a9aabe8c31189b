import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium, watchedPage } from '../support/browser';
import { FaultyProxy } from '../support/faulty-proxy';
import { installedSdk, removeInstalledSdk } from '../support/sdk';
import { startService, TestService } from '../support/service';

/** Has no icon, which the browser would request. */
const PAGE = '<link rel="icon" href="data:,"><title>SDK</title>';

/** Runs in the page, where `baseUrl` and `email` are its parameters. */
const JOURNEY = `async ({ baseUrl, email }) => {
  const { CampaignClient, isCode } = await import('/index.js');
  const account = { email, password: 'a long enough password' };
  const owner = new CampaignClient({ baseUrl, account });
  await owner.company.register({ name: 'A Company', ...account });
  const { api_key: apiKey } = await owner.keys.generate();
  const client = new CampaignClient({ baseUrl, apiKey });
  const survey = { title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100 };
  const created = await client.surveys.create(survey).withResponse();
  const { post_id } = created.data;
  await client.campaigns.update(post_id, { title: 'new' }, { ifMatch: created.etag });
  const titles = [];
  for await (const { title } of client.campaigns.list()) titles.push(title);
  let file = '';
  const decoder = new TextDecoder();
  const write = (chunk) => void (file += decoder.decode(chunk));
  const { count } = await client.responses.export(post_id).pipeTo(new WritableStream({ write }));
  const error = await client.campaigns.get('post_1').catch((error) => error);
  const redirected = await client.campaigns.get(post_id).catch((error) => error);
  return {
    titles,
    exported: [count, JSON.parse(file).count],
    replay: created.idempotentReplay,
    sameId: created.requestId === created.response.headers.get('x-request-id'),
    limits: created.rateLimits.map(({ name }) => name),
    notFound: isCode(error, 'campaign_not_found'),
    redirected: [redirected.name, redirected.code],
  };
}`;

describe('the SDK in Chromium', () => {
  let browser: Browser;
  let pages: Server;
  let service: TestService;
  let proxy: FaultyProxy;
  let origin: string;

  beforeAll(async () => {
    const { root } = await installedSdk();
    pages = createServer(({ url }, response) => {
      const isPage = url === '/';
      response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
      response.end(isPage ? PAGE : readFileSync(join(root, 'dist/esm', url!)));
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    service = await startService({
      variables: { CORS_ORIGINS: origin, RATE_LIMIT_ENABLED: 'true' },
    });
    proxy = new FaultyProxy(service.client.url);
    browser = await launchChromium();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    proxy.close();
    pages.close();
    await service.close();
    await removeInstalledSdk();
  });

  it('takes a campaign through its life from a page of another origin', async () => {
    const { page } = await watchedPage(browser);
    await page.goto(origin);
    const baseUrl = await proxy.listen();
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const redirect = { location: origin, 'access-control-allow-origin': '*' };
    const planned = Array<undefined>(3);
    proxy.plan(...planned, 'cut after the service', ...Array<undefined>(5), {
      status: 307,
      headers: redirect,
    });
    const outcome = await page.evaluate(`(${JOURNEY})(${JSON.stringify({ baseUrl, email })})`);
    expect(outcome).toEqual({
      titles: ['new'],
      exported: [0, 0],
      replay: true,
      sameId: true,
      limits: ['address', 'key'],
      notFound: true,
      redirected: ['ServerError', 'unexpected_response'],
    });
    await page.context().close();
  });
});
