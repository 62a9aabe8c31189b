import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { Caller, Principal } from '../http/principal';
import { PublicRoute } from '../http/public-route';
import { Idempotent } from '../idempotency/idempotent';
import { LimitedByAddress } from '../rate-limit/address-limit.guard';
import { AccessTokenService } from './access-token.service';
import { AccountAuth } from './account.guard';
import {
  AccessTokenDto,
  CompanyDto,
  LogInDto,
  RegisterCompanyDto,
  RegisteredCompanyDto,
} from './company.dto';
import { CompanyService } from './company.service';

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
   * @remarks The first step of all. The answer carries an account token, with which to generate an API key.
   */
  @Post('create')
  @Idempotent()
  @PublicRoute()
  @LimitedByAddress('registrations')
  @Answers(RegisteredCompanyDto, { errors: ['email_taken'] })
  async registerCompany(
    @Body() registration: RegisterCompanyDto,
  ): Promise<Envelope<RegisteredCompanyDto>> {
    const company = await this.companies.register(registration);
    return success('Company registered.', {
      ...CompanyDto.from(company),
      ...this.tokens.issue(company.companyId),
    });
  }

  /**
   * Log in
   *
   * @remarks Answers a new account token.
   */
  @Post('login')
  @Idempotent()
  @PublicRoute()
  @LimitedByAddress('logins')
  @Answers(AccessTokenDto, { errors: ['invalid_credentials'] })
  async logIn(@Body() credentials: LogInDto): Promise<Envelope<AccessTokenDto>> {
    const company = await this.companies.logIn(credentials);
    return success('Logged in.', this.tokens.issue(company.companyId));
  }

  /**
   * Read your company's account
   *
   * @remarks The company that the account token was issued to.
   */
  @Get('me')
  @AccountAuth()
  @Answers(CompanyDto, { input: 'none' })
  async getCompany(@Caller() caller: Principal): Promise<Envelope<CompanyDto>> {
    return success('Company found.', CompanyDto.from(await this.companies.byId(caller.companyId)));
  }
}
