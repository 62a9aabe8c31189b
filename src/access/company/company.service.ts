import { Injectable, OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { Repository } from 'typeorm';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newId, StoredId, newStoredId } from '../../platform/database/identifiers';
import { insertRow } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError } from '../../platform/protocol/api-error';
import { LogInDto, RegisterCompanyDto } from './company.dto';
import { Company } from './company.entity';
import { CURRENCY_DEFAULT } from './currency.field';
import { HashingQueue } from './hashing-queue';

@Injectable()
export class CompanyService implements OnModuleInit {
  /** The hash of a random password, verified if the email address is unknown. */
  private decoyHash!: string;

  constructor(
    private readonly transaction: TransactionContext,
    private readonly hashing: HashingQueue,
  ) {}

  private get companies(): Repository<Company> {
    return this.transaction.manager.getRepository(Company);
  }

  async onModuleInit(): Promise<void> {
    this.decoyHash = await hash(newId('co'));
  }

  /**
   * Returns the Argon2id hash of a password. Slow: do not call it in a transaction.
   *
   * @throws ApiError `service_unavailable` if too many passwords are waiting
   */
  async hashPassword(password: string): Promise<string> {
    return this.hashing.run(() => hash(password));
  }

  /**
   * Registers a company.
   *
   * @throws ApiError `email_taken`
   */
  async register(
    {
      name,
      email,
      currency = CURRENCY_DEFAULT,
    }: Pick<RegisterCompanyDto, 'name' | 'email' | 'currency'>,
    passwordHash: string,
  ): Promise<Company> {
    const values = { companyId: newStoredId(), name, email, currency, passwordHash };
    return withConstraints(() => insertRow(this.companies, values), {
      company_email_unique: () =>
        new ApiError('email_taken', 'A company with this email address is registered already.'),
    });
  }

  /**
   * Returns the company with this email address and password. A wrong address and a wrong password
   * are refused with the same message after the same time. Slow: do not call it in a transaction.
   *
   * @throws ApiError `invalid_credentials`, or `service_unavailable` if too many passwords are
   *   waiting
   */
  async logIn({ email, password }: LogInDto): Promise<Company> {
    // A request that is refused here costs no query.
    this.hashing.refuseIfFull();
    // The company is read before the turn, so that nobody's turn waits for the database.
    const company = await this.byEmail(email);
    const hashed = company?.passwordHash ?? this.decoyHash;
    const matches = await this.hashing.run(() => verify(hashed, password));
    if (company === null || !matches) {
      throw new ApiError('invalid_credentials', 'The email address or the password is wrong.');
    }
    return company;
  }

  private byEmail(email: string): Promise<Company | null> {
    return this.companies
      .createQueryBuilder('company')
      .where('lower(company.email COLLATE "C") = lower(:email COLLATE "C")', { email })
      .getOne();
  }

  /**
   * Returns the company that an account token names.
   *
   * @throws ApiError `token_invalid` if the company no longer exists
   */
  async byId(companyId: StoredId): Promise<Company> {
    const company = await this.companies.findOneBy({ companyId });
    if (company === null) {
      throw unknownCompany();
    }
    return company;
  }
}

/** The token is genuine, but its company no longer exists. */
export function unknownCompany(): ApiError {
  return new ApiError('token_invalid', 'The company of this account token does not exist.');
}
