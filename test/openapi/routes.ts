import { CanActivate, Controller, Get, Module, RequestMethod, UseGuards } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeyGuard } from '../../src/access/api-key/api-key.guard';
import { AccountGuard } from '../../src/access/company/account.guard';
import { IDEMPOTENT } from '../../src/platform/idempotency/idempotent.decorator';
import { PUBLIC_ROUTE, PublicRoute } from '../../src/platform/caller/public-route';
import { PlatformGuard } from '../../src/access/platform-key/platform-key.guard';
import { registerCompany } from '../support/client';
import { readOperations, resolve } from '../support/document';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { recordRoutes, ServedRoute } from '../support/routes';
import { service } from '../support/service';

/** The routes that need no credential. */
const PUBLIC_ROUTES = [
  'GET /.well-known/jwks.json',
  'GET /health/live',
  'GET /health/ready',
  'GET /preview/:token',
  'GET /preview/:token/*',
  'GET /results/:token',
  'GET /results/:token/*',
  'GET /svc/fielding/receipt-keys',
  'POST /api/company/create',
  'POST /api/company/login',
  'POST /preview/:token',
];

/** The documentation, which no controller serves. */
const DOCUMENTATION =
  /^GET \/((docs|reference|guides)(\/.*)?|reference\.md|(openapi|arazzo)\.json|llms\.txt)?$/;

/** What agents use, which is guarded without a controller. */
const AGENTS = 'POST /mcp';

type Protection = 'api key' | 'platform key' | 'account token' | 'public' | 'none';

interface Handler {
  controller: object;
  handler: object;
}

/** The handlers of all controllers, by route. */
function handlersOf(app: NestFastifyApplication): Map<string, Handler> {
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const scanner = new MetadataScanner();
  return new Map(
    discovery.getControllers().flatMap(({ metatype }) =>
      scanner.getAllMethodNames(metatype!.prototype).flatMap((name) => {
        const handler = metatype!.prototype[name];
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) {
          return [];
        }
        const path = [metatype!, handler].flatMap((target) =>
          String(Reflect.getMetadata(PATH_METADATA, target)).split('/'),
        );
        const url = path.filter((part) => part !== '').join('/');
        return [[`${RequestMethod[method]} /${url}`, { controller: metatype!, handler }] as const];
      }),
    ),
  );
}

function protection({ controller, handler }: Handler): Protection {
  const guards = [controller, handler].flatMap(
    (target) => (Reflect.getMetadata(GUARDS_METADATA, target) as unknown[] | undefined) ?? [],
  );
  if (guards.includes(ApiKeyGuard)) {
    return 'api key';
  }
  if (guards.includes(PlatformGuard)) {
    return 'platform key';
  }
  if (guards.includes(AccountGuard)) {
    return 'account token';
  }
  return Reflect.getMetadata(PUBLIC_ROUTE, handler) === true ? 'public' : 'none';
}

/** Every served route with its protection. */
function walk(app: NestFastifyApplication, served: ServedRoute[]): Map<string, Protection> {
  const handlers = handlersOf(app);
  return new Map(
    served.map(({ method, url }) => {
      const route = `${method} ${url}`;
      const handler = handlers.get(route);
      return [route, handler === undefined ? 'none' : protection(handler)];
    }),
  );
}

describe('a route', () => {
  let protections: Map<string, Protection>;

  const routesWith = (...wanted: Protection[]): string[] =>
    [...protections].filter(([, each]) => wanted.includes(each)).map(([route]) => route);

  beforeAll(() => {
    protections = walk(service.app, service.routes);
  });

  it('is served for every handler of a controller', () => {
    const handlers = [...handlersOf(service.app).keys()];
    expect(handlers.length).toBeGreaterThan(10);
    expect([...protections.keys()]).toEqual(expect.arrayContaining(handlers));
  });

  it('needs a credential, unless it is on the short public list (section 5)', () => {
    expect(routesWith('public').sort()).toEqual(PUBLIC_ROUTES);
    expect(routesWith('none').filter((route) => !DOCUMENTATION.test(route))).toEqual([AGENTS]);
  });

  it('of agents needs an API key, and a scope for each tool', async () => {
    expectError(await service.client.post('/mcp', {}), 401, 'api_key_missing');
  });

  it('accepts an Idempotency-Key if it changes something, as a preview does not, and only then', () => {
    const idempotent = [...handlersOf(service.app)]
      .filter(([, { handler }]) => Reflect.getMetadata(IDEMPOTENT, handler))
      .map(([route]) => route);
    const changing = [...protections.keys()].filter((route) =>
      /^(POST|PATCH|PUT) (?!\/(preview\/|mcp$))/.test(route),
    );
    expect(changing.length).toBeGreaterThan(10);
    expect(idempotent.sort()).toEqual(changing.sort());
  });
});

describe('an operation without query parameters', () => {
  it('refuses every query (section 4)', async () => {
    const company = await registerCompany(service.client);
    const platform = await platformClient(service);
    const { account, api } = company;
    const document = (await service.client.get('/openapi.json')).body as any;
    const takesQuery = (path: string, method: string) =>
      document.paths[path][method.toLowerCase()].parameters.some(
        (each: { $ref?: string }) => resolve<any>(document, each).in === 'query',
      );
    const operations = (await readOperations(service.client)).filter(
      ({ path, method }) => !path.startsWith('/health/') && !takesQuery(path, method),
    );
    expect(operations.length).toBeGreaterThan(30);
    for (const { method, path, credential } of operations) {
      const { headers } = credential === 'platform_key' ? platform : api;
      const client = service.client.with({ ...headers, ...account.headers });
      const body = method === 'GET' ? undefined : {};
      const answer = await client.send(method, `${path}?dry_run=true&__proto__=1`, body);
      expect([path, answer.status]).toEqual([path, 400]);
      expectInvalid(answer, { dry_run: 'unknown_field', ['__proto__']: 'unknown_field' });
    }
  });

  it('checks the credential first', async () => {
    expectError(await service.client.get('/svc/webhook/list?x=1'), 401, 'api_key_missing');
  });

  it('is neither a health check nor a page', async () => {
    for (const path of ['/health/live?x=1', '/reference?x=1', '/results/none?x=1']) {
      expect((await fetch(service.client.url + path)).status).not.toBe(400);
    }
  });
});

describe('the walk over the routes', () => {
  class SomeGuard implements CanActivate {
    canActivate(): boolean {
      return true;
    }
  }

  @Controller('test')
  class TestController {
    @Get('open')
    getOpen(): string {
      return '';
    }

    @Get('guarded-by-something-else')
    @UseGuards(SomeGuard)
    getOther(): string {
      return '';
    }

    @Get('public')
    @PublicRoute()
    getPublic(): string {
      return '';
    }
  }

  @Module({ controllers: [TestController] })
  class TestModule {}

  it('finds an unguarded route, whether a controller declares it or not', async () => {
    const { result: app, routes } = await recordRoutes(async () => {
      const adapter = new FastifyAdapter({ skipMiddie: true });
      const made = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, {
        logger: false,
      });
      adapter.getInstance().get('/beside', () => null);
      return made.init();
    });
    expect(Object.fromEntries(walk(app, routes))).toEqual({
      'GET /beside': 'none',
      'GET /test/open': 'none',
      'GET /test/guarded-by-something-else': 'none',
      'GET /test/public': 'public',
    });
    await app.close();
  });
});
