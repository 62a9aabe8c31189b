import { ApiProperty } from '@nestjs/swagger';
import { Email, Secret, Text } from '../http/fields/text.fields';
import type { Company } from './company.entity';

const EXAMPLE_EMAIL = 'research@example.com';
const EXAMPLE_PASSWORD = 'correct horse battery staple';

export class RegisterCompanyDto {
  /** The company's name. */
  @Text({ maximum: 200, example: 'Example Research Ltd' })
  name!: string;

  /** The account's e-mail address; unique regardless of case. */
  @Email(EXAMPLE_EMAIL)
  email!: string;

  /** 12 to 128 characters. */
  @Secret(12, 128, EXAMPLE_PASSWORD)
  password!: string;
}

export class LogInDto {
  /** The account's e-mail address. */
  @Email(EXAMPLE_EMAIL)
  email!: string;

  /** The account's password. */
  @Secret(1, 128, EXAMPLE_PASSWORD)
  password!: string;
}

export class AccessTokenDto {
  /**
   * Account token (JWT) for the `Authorization: Bearer` header.
   * @example "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl"
   */
  access_token!: string;

  /**
   * Always `Bearer`.
   * @example "Bearer"
   */
  @ApiProperty({ enum: ['Bearer'] })
  token_type!: string;

  /**
   * Lifetime of the token, in seconds.
   * @example 3600
   */
  @ApiProperty({ type: 'integer' })
  expires_in!: number;
}

export class CompanyDto {
  /** @example "co_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  company_id!: string;

  /** @example "Example Research Ltd" */
  name!: string;

  /** @example "research@example.com" */
  email!: string;

  /** When the company was registered. */
  created_at!: Date;

  static from(company: Company): CompanyDto {
    return {
      company_id: company.companyId,
      name: company.name,
      email: company.email,
      created_at: company.createdAt,
    };
  }
}

export class RegisteredCompanyDto extends CompanyDto implements AccessTokenDto {
  /**
   * Account token (JWT) for the `Authorization: Bearer` header.
   * @example "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl"
   */
  access_token!: string;

  /**
   * Always `Bearer`.
   * @example "Bearer"
   */
  @ApiProperty({ enum: ['Bearer'] })
  token_type!: string;

  /**
   * Lifetime of the token, in seconds.
   * @example 3600
   */
  @ApiProperty({ type: 'integer' })
  expires_in!: number;
}
