import {
  applyDecorators,
  CanActivate,
  ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error';
import { API_KEY_SCHEME, CanFailWith } from '../http/api-docs';
import { RateLimits } from '../rate-limit/rate-limits.service';
import { ApiKeyService } from './api-key.service';
import type { Scope } from './scopes';

const REQUIRED_SCOPE = 'requiredScope';

/** Lets a request through whose `X-API-Key` is valid and has the route's scope (section 5). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const secret = request.headers['x-api-key'];
    if (typeof secret !== 'string' || secret === '') {
      throw new ApiError('api_key_missing', 'The X-API-Key header is missing.');
    }
    const key = await this.keys.authenticate(secret);
    request.principal = { companyId: key.companyId, keyId: key.keyId };
    await this.limits.admitCaller(request, http.getResponse<FastifyReply>());
    const scope = this.reflector.get<Scope>(REQUIRED_SCOPE, context.getHandler());
    if (!key.scopes.includes(scope)) {
      throw new ApiError('insufficient_scope', `This API key does not have the scope ${scope}.`);
    }
    return true;
  }
}

/** A route for API keys: the guard, the scope it demands and its documentation in one. */
export function ApiKeyAuth(scope: Scope): MethodDecorator {
  return applyDecorators(
    SetMetadata(REQUIRED_SCOPE, scope),
    UseGuards(ApiKeyGuard),
    ApiSecurity(API_KEY_SCHEME),
    ApiExtension('x-required-scope', scope),
    CanFailWith(
      'api_key_missing',
      'api_key_invalid',
      'api_key_expired',
      'api_key_revoked',
      'insufficient_scope',
      'rate_limited',
    ),
  );
}
