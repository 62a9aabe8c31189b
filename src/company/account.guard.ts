import {
  applyDecorators,
  CanActivate,
  ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error';
import { ACCOUNT_TOKEN_SCHEME, CanFailWith } from '../http/api-docs';
import { RateLimits } from '../rate-limit/rate-limits.service';
import { AccessTokenService } from './access-token.service';

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Lets a request through that carries its company's account token (section 5). */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(
    private readonly tokens: AccessTokenService,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const header = request.headers.authorization;
    if (header === undefined) {
      throw new ApiError(
        'token_missing',
        'The Authorization header with the account token is missing.',
        [],
        { 'www-authenticate': 'Bearer' },
      );
    }
    const [, token] = BEARER.exec(header) ?? [];
    if (token === undefined) {
      throw new ApiError('token_invalid', 'The Authorization header must be "Bearer <token>".');
    }
    request.principal = { companyId: this.tokens.verify(token) };
    await this.limits.admitCaller(request, http.getResponse<FastifyReply>());
    return true;
  }
}

/** A route for the account itself: the guard and its documentation in one. */
export function AccountAuth(): MethodDecorator {
  return applyDecorators(
    UseGuards(AccountGuard),
    ApiBearerAuth(ACCOUNT_TOKEN_SCHEME),
    CanFailWith('token_missing', 'token_invalid', 'rate_limited'),
  );
}
