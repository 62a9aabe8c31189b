import { Injectable } from '@nestjs/common';
import { JwtService, TokenExpiredError } from '@nestjs/jwt';
import { Env } from '../../platform/config/env';
import { ApiError } from '../../platform/protocol/api-error';
import type { AccessTokenDto } from './company.dto';

/** Issuer and audience of account tokens. A token with any other value is refused. */
export const TOKEN_ISSUER = 'campaign-service';
export const TOKEN_AUDIENCE = 'campaign-service/account';

/** Issues and verifies the JWTs that identify a company's account (section 5). */
@Injectable()
export class AccessTokenService {
  constructor(
    private readonly jwt: JwtService,
    private readonly env: Env,
  ) {}

  issue(companyId: string): AccessTokenDto {
    return {
      access_token: this.jwt.sign({}, { subject: companyId, expiresIn: this.env.JWT_TTL }),
      token_type: 'Bearer',
      expires_in: this.env.JWT_TTL,
    };
  }

  /**
   * Returns the identifier of the company that a token was issued to, or `null` if the token is
   * genuine but has expired.
   *
   * @throws ApiError `token_invalid` if the token is forged or was issued for another purpose
   */
  verify(token: string): string | null {
    let subject: unknown;
    try {
      ({ sub: subject } = this.jwt.verify<{ sub?: unknown }>(token));
    } catch (error) {
      if (error instanceof TokenExpiredError) {
        return null;
      }
      throw tokenRefused();
    }
    if (typeof subject !== 'string') {
      throw new ApiError('token_invalid', 'The account token names no company.');
    }
    return subject;
  }
}

export function tokenRefused(): ApiError {
  return new ApiError('token_invalid', 'The account token is not valid or has expired.');
}
