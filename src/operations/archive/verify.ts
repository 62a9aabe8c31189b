import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkPart,
  COMPANY_LIST,
  LOCK,
  MISSING_FOLDER,
  readCompanies,
  readManifestOf,
  unknownFiles,
} from './archive-files';
import { gapsOf, Manifest, sha256 } from './manifest.rules';

/*
 * Anyone can verify an archive with the command line too, which has copies of this file and of
 * those that it imports. So they import nothing else of the service.
 */

/** What a verification has found. */
interface Verification {
  companies: number;
  files: number;
  rows: number;
  /** SHA-256 over the last lines of all manifests: the state of the whole archive. */
  digest: string;
  problems: string[];
}

/** Reads every file of an archive and compares it with the manifests. */
export async function verify(folder: string): Promise<Verification> {
  const listed = await readCompanies(folder);
  const companies = (await readdir(folder))
    .filter((name) => name !== LOCK && name !== COMPANY_LIST)
    .toSorted();
  const found: Verification = {
    companies: companies.length,
    files: 0,
    rows: 0,
    digest: '',
    problems: listed
      .filter((name) => !companies.includes(name))
      .map((name) => `${name}: ${MISSING_FOLDER}`),
  };
  const heads: string[] = [];
  for (const company of companies) {
    const problem = (error: unknown) => {
      found.problems.push(`${company}: ${error instanceof Error ? error.message : String(error)}`);
    };
    try {
      const manifest = await readManifestOf(join(folder, company));
      heads.push(`${company} ${manifest.head}\n`);
      if (manifest.entries.length > 0 && !listed.includes(company)) {
        problem(`is not in ${COMPANY_LIST}, which may be missing or an older one`);
      }
      await verifyCompany(join(folder, company), manifest, found, problem);
    } catch (error) {
      problem(error);
    }
  }
  found.digest = sha256(heads.join(''));
  return found;
}

async function verifyCompany(
  folder: string,
  manifest: Manifest,
  found: Verification,
  problem: (error: unknown) => void,
): Promise<void> {
  [...gapsOf(manifest.entries), ...(await unknownFiles(folder, manifest))].forEach(problem);
  for (const part of manifest.entries) {
    try {
      await checkPart(folder, part);
    } catch (error) {
      problem(error);
    }
    found.files += 1;
    found.rows += part.rows;
  }
}
