import { IntersectionType } from '@nestjs/swagger';
import {
  ResponseEmail,
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseText,
  ResponseTime,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import {
  Email,
  EMAIL_MAX_LENGTH,
  Secret,
  Text,
} from '../../platform/validation/fields/text.fields';
import type { Company } from './company.entity';
import { Currency, ResponseCurrency } from './currency.field';
import { printId } from '../../platform/database/identifiers';

const NAME = { maximum: 200, example: 'Example Research Ltd' } as const;

/**
 * The address in the documentation's examples. On the documentation page it stands for a new address
 * with each registration, so that the example works for every visitor.
 */
export const EXAMPLE_EMAIL = 'research@example.com';
const EXAMPLE_PASSWORD = 'correct horse battery staple';

export class RegisterCompanyDto {
  /** The company's name. */
  @Text(NAME)
  name!: string;

  /** The account's email address; unique regardless of case. */
  @Email(EXAMPLE_EMAIL)
  email!: string;

  /** 12 to 128 characters. */
  @Secret(12, 128, EXAMPLE_PASSWORD)
  password!: string;

  /** The ISO 4217 code of the currency of all your amounts, `USD` by default. It cannot change. */
  @Currency()
  currency?: string;
}

export class LogInDto {
  /** The account's email address. */
  @Email(EXAMPLE_EMAIL)
  email!: string;

  /** The account's password. */
  @Secret(1, 128, EXAMPLE_PASSWORD)
  password!: string;
}

export class AccessTokenDto {
  /** The account token (JWT), for the `Authorization: Bearer` header. */
  @ResponseToken('^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', 4096)
  access_token!: string;

  /** Always `Bearer`. */
  @ResponseEnum(['Bearer'], 'TokenType')
  token_type!: string;

  /** The lifetime of the token, in seconds. */
  @ResponseInteger()
  expires_in!: number;
}

export class CompanyDto {
  @ResponseId('co')
  company_id!: string;

  @ResponseText(NAME)
  name!: string;

  @ResponseEmail({ maximum: EMAIL_MAX_LENGTH })
  email!: string;

  /** The currency of all amounts of the company. */
  @ResponseCurrency()
  currency!: string;

  /** When the company was registered. */
  @ResponseTime()
  created_at!: Date;

  static from(company: Company): CompanyDto {
    return {
      company_id: printId('co', company.companyId),
      name: company.name,
      email: company.email,
      currency: company.currency,
      created_at: company.createdAt,
    };
  }
}

export class RegisteredCompanyDto extends IntersectionType(CompanyDto, AccessTokenDto) {}
