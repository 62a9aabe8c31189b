import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Env } from '../config/env';
import { ApiError } from '../http/api-error';

/** Who signs account tokens, and for whom. A token made for anything else is refused. */
export const TOKEN_ISSUER = 'campaign-service';
export const TOKEN_AUDIENCE = 'campaign-service/account';

/** An account token with its lifetime in seconds. */
export interface AccessToken {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
}

/** Issues and checks the JWTs by which a company's account is known (section 5). */
@Injectable()
export class AccessTokenService {
  constructor(
    private readonly jwt: JwtService,
    private readonly env: Env,
  ) {}

  issue(companyId: string): AccessToken {
    return {
      access_token: this.jwt.sign({}, { subject: companyId, expiresIn: this.env.JWT_TTL }),
      token_type: 'Bearer',
      expires_in: this.env.JWT_TTL,
    };
  }

  /**
   * The company a token was issued to.
   *
   * @throws ApiError `token_invalid` if it is forged, expired or made for something else
   */
  verify(token: string): string {
    let subject: unknown;
    try {
      ({ sub: subject } = this.jwt.verify<{ sub?: unknown }>(token));
    } catch {
      throw new ApiError('token_invalid', 'The account token is not valid or has expired.');
    }
    if (typeof subject !== 'string') {
      throw new ApiError('token_invalid', 'The account token names no company.');
    }
    return subject;
  }
}
