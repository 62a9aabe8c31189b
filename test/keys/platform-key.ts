import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../src/access/api-key/api-key.guard';
import { ApiKeyModule } from '../../src/access/api-key/api-key.module';
import { DOCUMENT } from '../../src/app.setup';
import { AppModule } from '../../src/app.module';
import { CredentialKeysService } from '../../src/access/credential-keys/credential-keys.service';
import { KeyUsageService } from '../../src/access/credential-keys/key-usage.service';
import { Envelope, success } from '../../src/platform/protocol/envelope';
import { Caller, Principal } from '../../src/platform/caller/principal';
import { Idempotent } from '../../src/platform/idempotency/idempotent.decorator';
import { MetricsServer } from '../../src/platform/metrics/metrics.server';
import { createOpenApiDocument } from '../../src/platform/openapi/openapi';
import { ResponseText } from '../../src/platform/openapi/response-fields';
import { RespondsWith } from '../../src/platform/openapi/responds-with';
import { PlatformAuth } from '../../src/access/platform-key/platform-key.guard';
import { PlatformKeyModule } from '../../src/access/platform-key/platform-key.module';
import { PlatformKeyService } from '../../src/access/platform-key/platform-key.service';
import { PLATFORM_SCOPES } from '../../src/access/platform-key/platform-scopes';
import recordedExamples from '../../src/platform/openapi/recorded-examples.json';
import { Text } from '../../src/platform/validation/fields/text.fields';
import { Answer, Client, registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { generateKey } from '../support/keys';
import { generatePlatformKey } from '../support/platforms';
import { serviceForAll } from '../support/service';
import { printId } from '../../src/platform/database/identifiers';
import { printEnvironment } from '../../src/platform/caller/environment.rules';

class CallerDto {
  @ResponseText({ maximum: 100 })
  company_id!: string;

  @ResponseText({ maximum: 100 })
  platform!: string | null;

  @ResponseText({ maximum: 100 })
  note!: string;
}

class NoteDto {
  @Text({ maximum: 100, example: 'a note' })
  note!: string;
}

function answer({ callerId: companyId, platform }: Principal, note = ''): Envelope<CallerDto> {
  return success('Here you are.', {
    company_id: platform === undefined ? printEnvironment(companyId) : printId('pkey', companyId),
    platform: platform ?? null,
    note,
  });
}

/** Routes of every kind of credential: the first one for platforms, of a service that has none. */
@ApiTags('Campaigns')
@Controller('test')
class TestController {
  @Get('platform')
  @PlatformAuth('fielding:read')
  @RespondsWith(CallerDto, 'The caller.', { input: 'none' })
  readAsPlatform(@Caller() caller: Principal): Envelope<CallerDto> {
    return answer(caller);
  }

  @Post('platform-write')
  @Idempotent()
  @PlatformAuth('fielding:write')
  @RespondsWith(CallerDto, 'The caller.')
  writeAsPlatform(@Caller() caller: Principal, @Body() { note }: NoteDto): Envelope<CallerDto> {
    return answer(caller, note);
  }

  @Get('company')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CallerDto, 'The caller.', { input: 'none' })
  readAsCompany(@Caller() caller: Principal): Envelope<CallerDto> {
    return answer(caller);
  }
}

@Module({ imports: [ApiKeyModule, PlatformKeyModule], controllers: [TestController] })
class TestModule {}

// Joins what `forRoot` declares.
Module({ imports: [TestModule] })(AppModule);

const ROUTES = {
  'platform route': (client: Client) => client.get('/test/platform'),
  'platform route that writes': (client: Client) =>
    client.post('/test/platform-write', { note: 'x' }),
  'client route': (client: Client) => client.get('/test/company'),
};

describe('a platform key', () => {
  const service = serviceForAll({
    variables: {
      LOG_LEVEL: 'info',
      METRICS_PORT: '0',
      RATE_LIMIT_ENABLED: 'true',
      RATE_LIMIT_PER_ADDRESS: '500',
    },
  });
  let company: TestCompany;
  let keys: PlatformKeyService;

  beforeAll(async () => {
    company = await registerCompany(service.client);
    keys = new PlatformKeyService(service.dataSource.manager);
  });

  const platformKey = async (...scopes: string[]): Promise<Client> => {
    const { secret } = await generatePlatformKey(
      service.dataSource,
      scopes.length === 0 ? {} : { scopes },
    );
    return service.client.withKey(secret);
  };

  const apiKey = async (fields: Record<string, unknown>): Promise<Client> =>
    (await generateKey(company.account, service.client, fields)).api;

  const revoked = async (): Promise<Client> => {
    const { key_id, secret } = await generatePlatformKey(service.dataSource);
    await keys.revoke(key_id);
    return service.client.withKey(secret);
  };

  const outcome = ({ status, body }: Answer) => body.error?.code ?? status;

  // The codes on the three routes, in the order of ROUTES.
  const MISSING = 'api_key_missing';
  const INVALID = 'api_key_invalid';
  const REVOKED = 'api_key_revoked';
  const SCOPE = 'insufficient_scope';

  it.each<[string, () => Client | Promise<Client>, (string | number)[]]>([
    ['nothing', () => service.client, [MISSING, MISSING, MISSING]],
    ['an empty key', () => service.client.withKey(''), [MISSING, MISSING, MISSING]],
    ['an account token', () => company.account, [MISSING, MISSING, MISSING]],
    ['a live key', () => company.api, [SCOPE, SCOPE, 200]],
    ['a test key', () => apiKey({ mode: 'test' }), [200, 200, 200]],
    [
      'a test key without campaigns:write',
      () => apiKey({ mode: 'test', scopes: ['campaigns:read'] }),
      [200, SCOPE, 200],
    ],
    [
      'a test key without campaigns:read',
      () => apiKey({ mode: 'test', scopes: ['campaigns:write'] }),
      [SCOPE, 200, SCOPE],
    ],
    ['a platform key', () => platformKey(), [200, 200, SCOPE]],
    ['a platform key that may only read', () => platformKey('fielding:read'), [200, SCOPE, SCOPE]],
    [
      'a platform key that may only write',
      () => platformKey('fielding:write'),
      [SCOPE, 200, SCOPE],
    ],
    ['a revoked platform key', revoked, [REVOKED, REVOKED, REVOKED]],
    [
      'an unknown platform key',
      async () => {
        const { key_id, secret } = await generatePlatformKey(service.dataSource);
        await service.dataSource.query('DELETE FROM platform_key WHERE key_id = $1', [key_id]);
        return service.client.withKey(secret);
      },
      [INVALID, INVALID, INVALID],
    ],
    [
      'a malformed platform key',
      () => service.client.withKey('cpk_x'),
      [INVALID, INVALID, INVALID],
    ],
    [
      'a platform key with the mark of an API key',
      async () =>
        service.client.withKey(
          (await generatePlatformKey(service.dataSource)).secret.replace('cpk_', 'csk_'),
        ),
      [INVALID, INVALID, INVALID],
    ],
    [
      'an API key with the mark of a platform key',
      () => service.client.withKey(company.api.headers['x-api-key']!.replace('csk_', 'cpk_')),
      [INVALID, INVALID, INVALID],
    ],
  ])('opens the routes of platforms only, and nothing else does: %s', async (_, make, expected) => {
    const client = await make();
    const outcomes = await Promise.all(
      Object.entries(ROUTES).map(async ([route, send]) => [route, outcome(await send(client))]),
    );
    expect(outcomes).toEqual(Object.keys(ROUTES).map((route, index) => [route, expected[index]]));
  });

  it('is named in a refusal, with the scope that keys of the other kind can have', async () => {
    const refusalOf = async (route: keyof typeof ROUTES, client: Client) =>
      (await ROUTES[route](client)).body.message;
    expect(await refusalOf('platform route', company.api)).toBe(
      'This route takes a platform key with the scope fielding:read, or a test key with the scope campaigns:read.',
    );
    const reading = await apiKey({ mode: 'test', scopes: ['campaigns:read'] });
    expect(await refusalOf('platform route that writes', reading)).toBe(
      'This route takes a platform key with the scope fielding:write, or a test key with the scope campaigns:write.',
    );
    expect(await refusalOf('client route', await platformKey())).toBe(
      "This route takes a company's API key with the scope campaigns:read.",
    );
    const writing = await apiKey({ scopes: ['campaigns:write'] });
    expect(await refusalOf('client route', writing)).toBe(
      'This API key does not have the scope campaigns:read.',
    );
  });

  it('names itself as the caller, with an identifier that no company has', async () => {
    const { key_id, secret } = await generatePlatformKey(service.dataSource);
    const { body } = await ROUTES['platform route'](service.client.withKey(secret));
    expect(body.data).toEqual({ company_id: key_id, platform: expect.any(String), note: '' });
    expect(key_id).toMatch(/^pkey_[0-9a-z]{26}$/);
  });

  it('is replaced by a test key for the company itself, as its test environment', async () => {
    const { body } = await ROUTES['platform route that writes'](await apiKey({ mode: 'test' }));
    expect(body.data).toMatchObject({
      company_id: company.companyId.replace('co_', 'test_'),
      platform: null,
    });
  });

  it('is refused while it is cached once it is revoked, and says why', async () => {
    const { key_id, secret } = await generatePlatformKey(service.dataSource);
    const client = service.client.withKey(secret);
    expect(outcome(await ROUTES['platform route'](client))).toBe(200);
    // Clears the cache: the command that revokes runs in another process.
    const { revokedAt } = await service.app
      .get(CredentialKeysService, { strict: false })
      .whileChanging(() => keys.revoke(key_id));
    expect(revokedAt).toEqual(expect.any(Date));
    expect(outcome(await ROUTES['platform route'](client))).toBe(REVOKED);
    expect((await keys.revoke(key_id)).revokedAt).toEqual(revokedAt);
  });

  it.each([
    ['', 'must not be empty'],
    [' ', 'must not be empty'],
    ['\u200b', 'must have a visible character'],
    ['x'.repeat(101), 'must be at most 100 characters'],
  ])('is not generated with the name "%s"', async (name, problem) => {
    await expect(keys.generate(name)).rejects.toThrow(`The name ${problem}.`);
  });

  it('has a name in NFC, so that names that look the same are one platform', async () => {
    const { key } = await keys.generate('Cafe\u0301');
    expect(key.name).toBe('Caf\u00e9');
  });

  it('has a name without the space around it', async () => {
    const { key } = await keys.generate(` ${'x'.repeat(100)} `);
    expect(key.name).toBe('x'.repeat(100));
  });

  it.each([[[]], [['']], [['fielding:read', 'campaigns:read']]])(
    'is not generated with the scopes %j',
    async (scopes) => {
      await expect(keys.generate('app', scopes)).rejects.toThrow(/^The scopes are /);
    },
  );

  it('has a time of its last use, which is written later', async () => {
    const { key_id, secret } = await generatePlatformKey(service.dataSource);
    const usedKey = async () => (await keys.list()).find(({ keyId }) => keyId === key_id);
    expect((await usedKey())?.lastUsedAt).toBeNull();
    await ROUTES['platform route'](service.client.withKey(secret));
    await service.app.get(KeyUsageService, { strict: false }).flush();
    expect((await usedKey())?.lastUsedAt).toEqual(expect.any(Date));
  });

  it('keeps its idempotency keys apart from those of another platform', async () => {
    const [one, other] = [await platformKey(), await platformKey()];
    const send = (client: Client, note: string) =>
      client.with({ 'idempotency-key': 'the-same' }).post('/test/platform-write', { note });
    const first = await send(one, 'one');
    const second = await send(other, 'other');
    expect([first, second].map(({ body }) => body.data.note)).toEqual(['one', 'other']);
    const replayed = await send(one, 'one');
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body.data).toEqual(first.body.data);
    expect(outcome(await send(one, 'other'))).toBe('idempotency_key_reused');
  });

  it('is in the log line of its requests, without a company', async () => {
    const { key_id, secret } = await generatePlatformKey(service.dataSource);
    await ROUTES['platform route'](service.client.withKey(secret));
    const line = await eventually(() => {
      const [own] = service.log.lines().filter((each) => each.key_id === key_id);
      expect(own).toBeDefined();
      return own as object;
    });
    expect(line).toMatchObject({ route: '/test/platform', key_id, status: 200 });
    expect(line).not.toHaveProperty('company_id');
    expect(service.log.text).not.toContain(secret);
  });

  it('is a mode of its own in the metrics', async () => {
    await ROUTES['platform route'](await platformKey());
    const { url } = service.app.get(MetricsServer, { strict: false });
    const wanted =
      'http_request_duration_seconds_count{method="GET",route="/test/platform",status="200",mode="platform"}';
    const metrics = await eventually(async () => {
      const text = await (await fetch(url!)).text();
      expect(text).toContain(wanted);
      return text;
    });
    expect(metrics).not.toMatch(/route="\/test\/platform",status="200",mode="(?!platform|test)/);
  });

  it('has limits of its own', async () => {
    const { headers } = await ROUTES['platform route'](await platformKey());
    expect(headers.get('ratelimit-policy')).toBe(
      '"platform-address";q=60000;w=60, "platform";q=60000;w=60',
    );
    expect(headers.get('ratelimit')).toMatch(/"platform";r=59999;t=60$/);
    const ofCompany = await ROUTES['platform route that writes'](await apiKey({ mode: 'test' }));
    expect(ofCompany.headers.get('ratelimit-policy')).toBe(
      '"platform-address";q=60000;w=60, "address";q=500;w=60, "key";q=1200;w=60',
    );
  });

  describe('in the OpenAPI document', () => {
    let document: any;

    beforeAll(async () => {
      document = await createOpenApiDocument(service.app, DOCUMENT, recordedExamples, () =>
        Promise.resolve({ '@nestjs/swagger': { models: [], controllers: [] } }),
      );
    });

    const operation = (path: string) =>
      Object.values<any>(document.paths[path]).find(({ operationId }) => operationId !== undefined);

    it('is a security scheme of its own', () => {
      expect(document.components.securitySchemes.platform_key).toEqual({
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: expect.stringContaining('`cpk_…`'),
      });
      expect(operation('/test/platform')).toMatchObject({
        security: [{ platform_key: [] }, { api_key: [] }],
        'x-required-scopes': ['fielding:read'],
        'x-test-key-scope': 'campaigns:read',
      });
      expect(PLATFORM_SCOPES).toContain(operation('/test/platform')['x-required-scopes'][0]);
    });

    it('stands first where a test key works too', () => {
      expect(operation('/test/platform-write')).toMatchObject({
        security: [{ platform_key: [] }, { api_key: [] }],
        'x-required-scopes': ['fielding:write'],
        'x-test-key-scope': 'campaigns:write',
      });
    });

    it('comes with the errors of a key', () => {
      expect(Object.keys(operation('/test/platform').responses).sort()).toEqual(
        Object.keys(operation('/test/company').responses).sort(),
      );
    });

    it('is sent by the code samples of the documentation', async () => {
      const page = await (await fetch(`${service.client.url}/reference/fielding`)).text();
      const samples = [...page.matchAll(/<pre\s[^>]*"beginParticipation"[^]*?<\/pre>/g)];
      expect(samples).toHaveLength(3);
      for (const [sample] of samples) {
        expect(sample).toContain('CAMPAIGN_PLATFORM_KEY');
        expect(sample).not.toContain('CAMPAIGN_API_KEY');
      }
    });
  });
});
