/** The two environments of a company. What is made in one cannot be seen from the other. */
export const MODES = ['live', 'test'] as const;

export type Mode = (typeof MODES)[number];

const COMPANY = /^co_/;
const TEST = /^test_/;

/**
 * Returns the identifier under which a company's data is stored, in every `company_id` but that of
 * companies and API keys. Live data is stored under the company's own identifier, and test data
 * under one beside it, so no statement can mix the two.
 */
export function environmentOf(companyId: string, mode: Mode): string {
  return mode === 'live' ? companyId : companyId.replace(COMPANY, 'test_');
}

/** Returns the company of an environment. */
export function companyOf(environmentId: string): string {
  return environmentId.replace(TEST, 'co_');
}

export function modeOf(environmentId: string): Mode {
  return environmentId.startsWith('test_') ? 'test' : 'live';
}
