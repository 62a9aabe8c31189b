import { applyDecorators, ExecutionContext, Injectable } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { modeOf } from '../../platform/caller/environment.rules';
import { CredentialKeysService, KEY_ERRORS } from '../credential-keys/credential-keys.service';
import { AddRouteConfig } from '../../platform/protocol/add-route-config';
import {
  CredentialGuard,
  RequireCredential,
  wasAuthenticatedBy,
} from '../../platform/caller/credential';
import type { Principal } from '../../platform/caller/principal';
import {
  API_KEY_SCHEME,
  CanFailWith,
  PLATFORM_KEY_SCHEME,
} from '../../platform/openapi/responds-with';
import { LimitedByAddress } from '../../platform/rate-limit/route-limits.decorator';
import type { PlatformScope } from './platform-scopes';

/** The scope with which a test key may do what a platform's scope allows. */
const TEST_KEY_SCOPES: Readonly<Record<PlatformScope, string>> = {
  'fielding:read': 'campaigns:read',
  'fielding:write': 'campaigns:write',
  'settlements:read': 'ledger:read',
};

/** Accepts a request whose `X-API-Key` is a valid platform key with the route's scope. */
@Injectable()
export class PlatformGuard implements CredentialGuard {
  constructor(private readonly keys: CredentialKeysService) {}

  /** A company's key passes too. It has no scope of platforms, unless it is a test key. */
  async authenticate({ headers, routeOptions }: FastifyRequest): Promise<Principal> {
    const { scopes, testKeyScope } = routeOptions.config;
    const principal = await this.keys.authenticate(headers);
    const mayTry =
      testKeyScope !== undefined &&
      modeOf(principal.callerId) === 'test' &&
      principal.scopes?.includes(testKeyScope) === true;
    return mayTry ? { ...principal, scopes } : principal;
  }

  canActivate(context: ExecutionContext): boolean {
    return wasAuthenticatedBy(PlatformGuard, context);
  }
}

/**
 * A route for platforms: its guard, the scope it requires, its limits, and its documentation. A
 * company may try it with a test key; the caller is its test environment then, without a
 * `platform`.
 */
export function PlatformAuth(scope: PlatformScope): MethodDecorator {
  const testKeyScope = TEST_KEY_SCOPES[scope];
  return applyDecorators(
    RequireCredential(PlatformGuard, scope),
    AddRouteConfig({ testKeyScope }),
    LimitedByAddress('platform-address'),
    ApiSecurity(PLATFORM_KEY_SCHEME),
    ApiSecurity(API_KEY_SCHEME),
    ApiExtension('x-required-scopes', [scope]),
    ApiExtension('x-test-key-scope', testKeyScope),
    CanFailWith(...KEY_ERRORS, 'insufficient_scope'),
  );
}
