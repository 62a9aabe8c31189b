import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeyService } from '../../src/access/api-key/api-key.service';
import { AccessTokenService } from '../../src/access/company/access-token.service';
import { CompanyService } from '../../src/access/company/company.service';
import { printId } from '../../src/platform/database/identifiers';
import { PASSWORD, registrations } from './client';

let passwordHash: Promise<string> | undefined;

/** Lets tests register companies in a service by the code that its requests run. */
export function registerWithin(app: NestFastifyApplication, url: string): void {
  const companies = app.get(CompanyService);
  registrations.set(url, async (company) => {
    passwordHash ??= companies.hashPassword(PASSWORD);
    const { companyId: callerId } = await companies.register(company, await passwordHash);
    const company_id = printId('co', callerId);
    const { secret } = await app.get(ApiKeyService).generate({ callerId, company: company_id }, {});
    const { access_token } = app.get(AccessTokenService).issue(company_id);
    return { company_id, access_token, api_key: secret };
  });
}
