import { applyDecorators, ExecutionContext, Injectable } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { modeOf } from '../company/environment.rules';
import { CredentialKeysService, KEY_ERRORS } from '../credential-keys/credential-keys.service';
import { AddRouteConfig } from '../http/add-route-config';
import { CredentialGuard, RequireCredential, wasAuthenticatedBy } from '../http/credential';
import type { Principal } from '../http/principal';
import { API_KEY_SCHEME, CanFailWith, PLATFORM_KEY_SCHEME } from '../openapi/responds-with';
import { LimitedByAddress } from '../rate-limit/route-limits.decorator';
import type { PlatformScope } from './platform-scopes';

/** The scope that a test key needs on a platform's route. */
const TEST_KEY_SCOPE = 'campaigns:write';

/** Accepts a request whose `X-API-Key` is a valid platform key with the route's scope. */
@Injectable()
export class PlatformGuard implements CredentialGuard {
  constructor(private readonly keys: CredentialKeysService) {}

  /** A company's key passes too. It has no scope of platforms, unless the route is for test keys. */
  async authenticate({ headers, routeOptions }: FastifyRequest): Promise<Principal> {
    const { scope, testKeys } = routeOptions.config;
    const principal = await this.keys.authenticate(headers);
    return testKeys === true && scope !== undefined && mayTry(principal)
      ? { ...principal, scopes: [scope] }
      : principal;
  }

  canActivate(context: ExecutionContext): boolean {
    return wasAuthenticatedBy(PlatformGuard, context);
  }
}

function mayTry({ companyId, scopes = [] }: Principal): boolean {
  return modeOf(companyId) === 'test' && scopes.includes(TEST_KEY_SCOPE);
}

/**
 * A route for platforms: its guard, the scope it requires, its limits, and its documentation.
 *
 * @param testKeys whether a company may try the route with a test key that has `campaigns:write`;
 *   the caller is its test environment then, without a `platform`
 */
export function PlatformAuth(
  scope: PlatformScope,
  { testKeys = false }: { testKeys?: boolean } = {},
): MethodDecorator {
  return applyDecorators(
    RequireCredential(PlatformGuard, scope),
    LimitedByAddress('platform-address'),
    ApiSecurity(PLATFORM_KEY_SCHEME),
    ApiExtension('x-required-scope', scope),
    ...(testKeys
      ? [
          AddRouteConfig({ testKeys }),
          ApiSecurity(API_KEY_SCHEME),
          ApiExtension('x-test-key-scope', TEST_KEY_SCOPE),
        ]
      : []),
    CanFailWith(...KEY_ERRORS, 'insufficient_scope'),
  );
}
