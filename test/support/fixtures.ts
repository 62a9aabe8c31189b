import { Client, registerCompany, TestCompany } from './client';
import { platformClient } from './platforms';
import { service, SharedService } from './service';

/*
 * What the tests of a `describe` use of the shared service, or of their own. Each function returns
 * an object that a hook fills in.
 */

/** A company that all tests share. */
export function companyForAll(): TestCompany {
  const company = {} as TestCompany;
  beforeAll(async () => {
    Object.assign(company, await registerCompany(service.client));
  });
  return company;
}

/** Another company for each test. */
export function companyForEach(own?: SharedService): TestCompany {
  const company = {} as TestCompany;
  beforeEach(async () => {
    Object.assign(company, await registerCompany((own ?? service).client));
  });
  return company;
}

/** A client of a platform that all tests share. */
export function platformForAll(own?: SharedService): Client {
  const platform = new Client('');
  beforeAll(async () => {
    Object.assign(platform, await platformClient(own ?? service));
  });
  return platform;
}
