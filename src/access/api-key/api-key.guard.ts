import { applyDecorators, ExecutionContext, Injectable } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CredentialKeysService, KEY_ERRORS } from '../credential-keys/credential-keys.service';
import {
  CredentialGuard,
  RequireCredential,
  wasAuthenticatedBy,
} from '../../platform/caller/credential';
import type { Principal } from '../../platform/caller/principal';
import { API_KEY_SCHEME, CanFailWith } from '../../platform/openapi/responds-with';
import type { Scope } from './scopes';

/** Accepts a request whose `X-API-Key` is valid and has the route's scopes (section 5). */
@Injectable()
export class ApiKeyGuard implements CredentialGuard {
  constructor(private readonly keys: CredentialKeysService) {}

  /** A platform key passes too. It has none of the scopes that these routes require. */
  authenticate({ headers }: FastifyRequest): Promise<Principal> {
    return this.keys.authenticate(headers);
  }

  canActivate(context: ExecutionContext): boolean {
    return wasAuthenticatedBy(ApiKeyGuard, context);
  }
}

/** A route for API keys: its guard, the scopes it requires, and its documentation. */
export function ApiKeyAuth(...scopes: readonly [Scope, ...Scope[]]): MethodDecorator {
  return applyDecorators(
    RequireCredential(ApiKeyGuard, ...scopes),
    ApiSecurity(API_KEY_SCHEME),
    ApiExtension('x-required-scopes', scopes),
    CanFailWith(...KEY_ERRORS, 'insufficient_scope', 'rate_limited'),
  );
}
