import { applyDecorators, ExecutionContext, Injectable } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/protocol/api-error';
import {
  CredentialGuard,
  RequireCredential,
  wasAuthenticatedBy,
} from '../../platform/caller/credential';
import type { Principal } from '../../platform/caller/principal';
import { ACCOUNT_TOKEN_SCHEME, CanFailWith } from '../../platform/openapi/responds-with';
import { AccessTokenService, tokenRefused } from './access-token.service';
import { storedId } from '../../platform/database/identifiers';

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** Accepts a request that has a valid account token (section 5). */
@Injectable()
export class AccountGuard implements CredentialGuard {
  constructor(private readonly tokens: AccessTokenService) {}

  authenticate(request: FastifyRequest): Principal {
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
    const company = this.tokens.verify(token);
    if (company === null) {
      request.hasExpiredToken = true;
      throw tokenRefused();
    }
    const callerId = storedId('co', company);
    if (callerId === null) {
      throw new ApiError('token_invalid', 'The account token names no company.');
    }
    return { callerId, company };
  }

  canActivate(context: ExecutionContext): boolean {
    return wasAuthenticatedBy(AccountGuard, context);
  }
}

/** A route for the account itself: its guard and its documentation. */
export function AccountAuth(): MethodDecorator {
  return applyDecorators(
    RequireCredential(AccountGuard),
    ApiBearerAuth(ACCOUNT_TOKEN_SCHEME),
    CanFailWith('token_missing', 'token_invalid', 'rate_limited'),
  );
}
