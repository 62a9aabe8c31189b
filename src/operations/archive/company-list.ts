import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPANY_LIST, readCompanies } from './archive-files';
import { flush } from './part-file';

/**
 * The companies of an archive. A company is listed once it has a folder, before its first part is
 * in a manifest, so that a folder which is gone is noticed.
 */
export class CompanyList {
  private constructor(
    private readonly folder: string,
    private readonly companies: Set<string>,
  ) {}

  /** Opens the list of an archive, and removes a line that an interrupted run has cut. */
  static async open(folder: string): Promise<CompanyList> {
    const companies = await readCompanies(folder);
    const file = await open(join(folder, COMPANY_LIST), 'a', 0o600);
    await file.truncate(Buffer.byteLength(companies.map((each) => `${each}\n`).join('')));
    await file.close();
    return new CompanyList(folder, new Set(companies));
  }

  has(company: string): boolean {
    return this.companies.has(company);
  }

  /** Adds a company. When this returns, its line is on disk. */
  async add(company: string): Promise<void> {
    if (this.companies.has(company)) {
      return;
    }
    const file = await open(join(this.folder, COMPANY_LIST), 'a', 0o600);
    try {
      await file.appendFile(`${company}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await flush(this.folder);
    this.companies.add(company);
  }
}
