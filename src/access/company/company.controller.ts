import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Caller, Principal } from '../../platform/caller/principal';
import { PublicRoute } from '../../platform/caller/public-route';
import { LimitedByAddress } from '../../platform/rate-limit/route-limits.decorator';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { AccessTokenService } from './access-token.service';
import { AccountAuth } from './account.guard';
import {
  AccessTokenDto,
  CompanyDto,
  LogInDto,
  RegisterCompanyDto,
  RegisteredCompanyDto,
} from './company.dto';
import type { Company } from './company.entity';
import { CompanyService } from './company.service';
import { printId } from '../../platform/database/identifiers';

@ApiTags('Company')
@Controller('api/company')
export class CompanyController {
  constructor(
    private readonly companies: CompanyService,
    private readonly tokens: AccessTokenService,
  ) {}

  /**
   * Register a company
   *
   * @remarks The first step. The response includes an account token, which you need to generate an API
   * key.
   */
  @Post('create')
  @IdempotentInPhases()
  @PublicRoute()
  @LimitedByAddress('registrations')
  @RespondsWith(RegisteredCompanyDto, 'The company, with an account token.', {
    errors: ['email_taken'],
  })
  registerCompany(
    @Body() registration: RegisterCompanyDto,
  ): Phases<string, CompanyDto, Envelope<RegisteredCompanyDto>> {
    return {
      prepare: () => this.companies.hashPassword(registration.password),
      work: async (passwordHash) =>
        CompanyDto.from(await this.companies.register(registration, passwordHash)),
      respond: (company) =>
        success('Company registered.', { ...company, ...this.tokens.issue(company.company_id) }),
    };
  }

  /**
   * Log in
   *
   * @remarks Returns a new account token.
   */
  @Post('login')
  @IdempotentInPhases()
  @PublicRoute()
  @LimitedByAddress('logins')
  @RespondsWith(AccessTokenDto, 'A new account token.', { errors: ['invalid_credentials'] })
  logIn(
    @Body() credentials: LogInDto,
  ): Phases<Company, Pick<CompanyDto, 'company_id'>, Envelope<AccessTokenDto>> {
    return {
      prepare: () => this.companies.logIn(credentials),
      work: ({ companyId }) => Promise.resolve({ company_id: printId('co', companyId) }),
      respond: ({ company_id }) => success('Logged in.', this.tokens.issue(company_id)),
    };
  }

  /**
   * Read your company's account
   *
   * @remarks The company that the account token was issued to.
   */
  @Get('me')
  @AccountAuth()
  @RespondsWith(CompanyDto, 'Your company.', { input: 'parameters' })
  async getCompany(@Caller() caller: Principal): Promise<Envelope<CompanyDto>> {
    return success('Company found.', CompanyDto.from(await this.companies.byId(caller.callerId)));
  }
}
