import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, IncomingMessage, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { registerCompany, PASSWORD } from '../support/client';
import { CommandLine } from '../support/cli';
import { temporaryDirectory } from '../support/databases';
import { SDK_ROOT } from '../support/sdk';
import { service } from '../support/service';

const root = join(__dirname, '../..');

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));

/** What a request was, and with which credential. */
interface Seen {
  route: string;
  credential: string | undefined;
  body: unknown;
}

const pathOf = ({ url }: IncomingMessage) => url!.replace(/\?.*/, '');

const NDJSON = { 'content-type': 'application/x-ndjson' };

const NO_ROWS = {
  covers: { from: 1, to: 0 },
  count: 0,
  sha256: createHash('sha256').digest('hex'),
};

/** A service that notes what it is asked, and has neither data nor responses. */
async function recorder(seen: Seen[]): Promise<Server> {
  const record = async (request: IncomingMessage) => {
    const body = await text(request);
    const { authorization } = request.headers;
    seen.push({
      route: `${request.method} ${pathOf(request)}`,
      credential: authorization?.split(' ')[1] ?? String(request.headers['x-api-key']),
      body: body === '' ? undefined : JSON.parse(body),
    });
  };
  const server = createServer((request, response) => {
    void record(request).then(() => {
      if (pathOf(request).endsWith('/responses/export')) {
        response.writeHead(200, { ...NDJSON, 'export-count': '0', 'export-up-to-seq': '0' });
        response.end(`${JSON.stringify(NO_ROWS)}\n`);
      } else if (/\/(export|file)$/.test(pathOf(request))) {
        response.writeHead(200, NDJSON).end('{}\n');
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success: true, message: 'Done.', data: { done: true } }));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const ONLY_TITLE = '{ "title": "Only this" }';

const CREDENTIALS = {
  api_key: 'csk_key',
  account_token: 'a.token',
  platform_key: 'cpk_key',
} as const;

describe('campaign api', () => {
  let cli: CommandLine;
  let server: Server;
  const seen: Seen[] = [];
  /** Lets commands call the recorder, with every credential. */
  let env: Record<string, string>;

  beforeAll(async () => {
    cli = await CommandLine.start();
    server = await recorder(seen);
    env = {
      CAMPAIGN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CAMPAIGN_API_KEY: CREDENTIALS.api_key,
      CAMPAIGN_TOKEN: CREDENTIALS.account_token,
      CAMPAIGN_PLATFORM_KEY: CREDENTIALS.platform_key,
      CAMPAIGN_PASSWORD: PASSWORD,
    };
  }, 180_000);

  afterAll(async () => {
    server.close();
    await cli.stop();
  });

  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { operationId, security, ...operation }]) => {
      const [scheme] = (security ?? []).flatMap(Object.keys) as (keyof typeof CREDENTIALS)[];
      const hasBody = operation.requestBody !== undefined;
      const inQuery = (operation.parameters ?? [])
        .map(({ $ref, ...given }: any) =>
          $ref === undefined ? given : document.components.parameters[$ref.split('/').at(-1)],
        )
        .filter((parameter: any) => parameter.in === 'query' && parameter.required)
        .map(({ name }: any) => name as string);
      return { operationId: operationId as string, method, path, scheme, hasBody, inQuery };
    }),
  );

  it('reaches every operation of the document', async () => {
    const env = {
      CAMPAIGN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CAMPAIGN_API_KEY: CREDENTIALS.api_key,
      CAMPAIGN_TOKEN: CREDENTIALS.account_token,
      CAMPAIGN_PLATFORM_KEY: CREDENTIALS.platform_key,
      CAMPAIGN_PASSWORD: PASSWORD,
    };
    expect(operations.length).toBeGreaterThan(90);
    for (const { operationId, method, path, scheme, hasBody, inQuery } of operations) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).concat(inQuery);
      const body = hasBody ? ['--data', '{ "name": "A" }'] : [];
      const options = names.flatMap((name) => [`--${name}`, `${name}/1`]);
      seen.length = 0;
      const ran = await cli.run(['api', operationId, ...options, ...body], { env });
      expect([operationId, ran.code, ran.stderr]).toEqual([operationId, 0, '']);
      const target = path.replace(/\{(\w+)\}/g, '$1%2F1');
      const withPassword = ['logIn', 'registerCompany'].includes(operationId);
      expect(seen).toEqual([
        {
          route: `${method.toUpperCase()} ${target}`,
          credential: scheme === undefined ? 'undefined' : CREDENTIALS[scheme],
          body: hasBody ? { name: 'A', ...(withPassword && { password: PASSWORD }) } : undefined,
        },
      ]);
    }
  }, 60_000);

  it('reads the value of an option by the type of its field', async () => {
    seen.length = 0;
    const argv = ['--post_id', 'post_1', '--title=5', '--budget', '12.5', '--ends-at', 'null'];
    const more = [
      '--banners',
      '["a"]',
      '--if-match',
      '"3"',
      '-d',
      '{ "title": "no", "tagline": "t" }',
    ];
    expect((await cli.run(['api', 'updateCampaign', ...argv, ...more], { env })).code).toBe(0);
    expect(seen[0]!.body).toEqual({
      ...{ post_id: 'post_1', title: '5', budget: 12.5, ends_at: null, banners: ['a'] },
      tagline: 't',
    });
    const wrong = await cli.run(['api', 'updateCampaign', '--budget', 'much'], { env });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('number or null')]);
  });

  it('refuses a command line without a required option, or with what is not JSON', async () => {
    seen.length = 0;
    writeFileSync(join(cli.folder, 'list.json'), '[]');
    for (const [argv, message] of [
      [['logIn'], 'logIn needs --email.'],
      [['getCampaign'], 'getCampaign needs --post_id.'],
      [['getCrosstab', '--post_id', 'post_1'], 'getCrosstab needs --rows'],
      [['createSurvey', '--title', 'A'], '--reward_amount'],
      [['createSurvey', '-d', '{ "title": '], '--data is not JSON'],
      [['createSurvey', '-d', '@list.json'], '@list.json is not a JSON object'],
    ] as const) {
      const { code, stderr } = await cli.run(['api', ...argv], { env });
      expect([argv, code, stderr]).toEqual([argv, 2, expect.stringContaining(message)]);
    }
    expect(seen).toEqual([]);
    // Either of two fields is enough.
    for (const argv of [
      ['--post_id', 'post_1'],
      ['--campaign', '{}'],
    ]) {
      expect((await cli.run(['api', 'forecastCampaign', ...argv], { env })).code).toBe(0);
    }
  });

  it('lists the operations, and the fields of each', async () => {
    const listed = await cli.json('api');
    expect(Object.keys(listed).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    );
    const help = await cli.run(['api', 'getCrosstab', '--help']);
    expect(help.stdout).toMatch(/--rows \(required\) +string/);
    const unknown = await cli.run(['api', 'getCampain']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('campaign api')]);
    const misspelt = await cli.run(['api', 'getCampaign', '--postid', 'x']);
    expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringContaining('--postid')]);
  });

  it('takes a company from its registration to a key with the account token', async () => {
    const email = `cli-${Date.now()}@example.com`;
    const env: Record<string, string> = { CAMPAIGN_URL: service.client.url };
    const api = async (...argv: string[]) => {
      const { code, stdout, stderr } = await cli.run(['api', ...argv], { env, stdin: PASSWORD });
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    await api('registerCompany', '--name', 'A Company', '--email', email);
    const { access_token } = await api('logIn', '--email', email);
    env.CAMPAIGN_TOKEN = access_token;
    const { key_id, api_key } = await api('generateApiKey', '--mode', 'test');
    const limits = ['--spending_limit', '{ "amount": 500, "per": "month" }'];
    await api('updateApiKeyLimits', '--key_id', key_id, ...limits, '--approval_above', '90');
    const spending = await cli.run(['spending'], { env });
    expect(spending.stdout).toMatch(/500 USD per month +0 USD +500 USD +\S+ +90 USD\n/);
    env.CAMPAIGN_API_KEY = api_key;
    expect(await api('listCampaigns')).toEqual({ items: [], next_cursor: null });
  });

  it('passes an error of the service on, with its details and its own exit code', async () => {
    const { api } = await registerCompany(service.client);
    const env = {
      CAMPAIGN_URL: service.client.url,
      CAMPAIGN_API_KEY: api.headers['x-api-key']!,
    };
    const invalid = await cli.run(['api', 'createSurvey', '-d', ONLY_TITLE], { env });
    expect(invalid.code).toBe(3);
    expect(invalid.stderr).toMatch(/reward_amount/);
    const asJson = await cli.run(['api', 'getCampaign', '--post_id', 'post_1', '--json'], { env });
    expect(asJson.code).toBe(3);
    expect(JSON.parse(asJson.stderr).error).toMatchObject({
      code: 'campaign_not_found',
      status: 404,
      next: expect.stringContaining('campaign list'),
    });
    const refused = await cli.run(['list'], { env: { ...env, CAMPAIGN_API_KEY: 'csk_wrong' } });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('campaign login')]);
    const logIn = ['api', 'logIn', '--email', 'nobody@example.com'];
    const unknown = await cli.run(logIn, { env, stdin: PASSWORD });
    expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringMatching(/email .*password/)]);
    expect(unknown.stderr).not.toContain('another key');
  });

  it('knows the operations that `npm run client` generates', () => {
    const made = join(temporaryDirectory(), 'operations.ts');
    const script = join(SDK_ROOT, 'scripts/write-cli-operations.mjs');
    expect(spawnSync(process.execPath, [script, made]).status).toBe(0);
    const committed = join(SDK_ROOT, 'cli/operations.ts');
    expect(readFileSync(made, 'utf8')).toBe(readFileSync(committed, 'utf8'));
  });
});
