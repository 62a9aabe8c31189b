import { Injectable, OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { Repository } from 'typeorm';
import { withConstraints } from '../database/constraint-violation';
import { newId } from '../database/identifiers';
import { TransactionContext } from '../database/transaction-context';
import { ApiError } from '../http/api-error';
import { LogInDto, RegisterCompanyDto } from './company.dto';
import { Company } from './company.entity';

@Injectable()
export class CompanyService implements OnModuleInit {
  /** The hash of no one's password, verified where an e-mail is unknown. */
  private decoyHash!: string;

  constructor(private readonly transaction: TransactionContext) {}

  private get companies(): Repository<Company> {
    return this.transaction.manager.getRepository(Company);
  }

  async onModuleInit(): Promise<void> {
    this.decoyHash = await hash(newId('co'));
  }

  /**
   * Registers a company.
   *
   * @throws ApiError `email_taken`
   */
  async register({ name, email, password }: RegisterCompanyDto): Promise<Company> {
    const company = this.companies.create({
      companyId: newId('co'),
      name,
      email,
      passwordHash: await hash(password),
    });
    await withConstraints(() => this.companies.insert(company), {
      company_email_unique: () =>
        new ApiError('email_taken', 'A company with this e-mail address is registered already.'),
    });
    return company;
  }

  /**
   * The company whose e-mail and password these are. A wrong e-mail and a wrong password are
   * refused alike, in words and in time.
   *
   * @throws ApiError `invalid_credentials`
   */
  async logIn({ email, password }: LogInDto): Promise<Company> {
    const company = await this.companies
      .createQueryBuilder('company')
      .where('lower(company.email) = lower(:email)', { email })
      .getOne();
    const matches = await verify(company?.passwordHash ?? this.decoyHash, password);
    if (company === null || !matches) {
      throw new ApiError('invalid_credentials', 'The e-mail address or the password is wrong.');
    }
    return company;
  }

  /**
   * A company by its identifier, as an account token names it.
   *
   * @throws ApiError `token_invalid` if it no longer exists
   */
  async byId(companyId: string): Promise<Company> {
    const company = await this.companies.findOneBy({ companyId });
    if (company === null) {
      throw unknownCompany();
    }
    return company;
  }
}

/** The token is genuine, but its company is gone. */
export function unknownCompany(): ApiError {
  return new ApiError('token_invalid', 'The company of this account token does not exist.');
}
