import { printId, readId, storedId, StoredId } from '../database/identifiers';

/** The two environments of a company. What is made in one cannot be seen from the other. */
export const MODES = ['live', 'test'] as const;

export type Mode = (typeof MODES)[number];

/** Where an identifier has its UUID version: 7 for companies, 8 for their test environments. */
const VERSION = 14;
const LIVE_VERSION = '7';
const TEST_VERSION = '8';

const withVersion = (id: StoredId, version: string): StoredId => {
  const text = id as unknown as string;
  return (text.slice(0, VERSION) + version + text.slice(VERSION + 1)) as unknown as StoredId;
};

/**
 * Returns the identifier under which a company's data is stored, in every `company_id` but that of
 * companies and API keys. Live data is stored under the company's own identifier, and test data
 * under one beside it, so no statement can mix the two.
 */
export function environmentOf(companyId: StoredId, mode: Mode): StoredId {
  return mode === 'live' ? companyId : withVersion(companyId, TEST_VERSION);
}

/** Returns the company of an environment. */
export function companyOf(environmentId: StoredId): StoredId {
  return modeOf(environmentId) === 'live'
    ? environmentId
    : withVersion(environmentId, LIVE_VERSION);
}

/** Returns the name under which all work of the company of an environment waits its turn. */
export function queueNameOf(environmentId: StoredId): string {
  return companyOf(environmentId) as unknown as string;
}

export function modeOf(environmentId: StoredId): Mode {
  return (environmentId as unknown as string)[VERSION] === TEST_VERSION ? 'test' : 'live';
}

/** The condition that a column has environments of a mode, as the index of live ones has it. */
export function modeIs(mode: Mode, column: string): string {
  const version = mode === 'live' ? LIVE_VERSION : TEST_VERSION;
  return `substr(${column}::text, ${VERSION + 1}, 1) = '${version}'`;
}

/** Returns an environment as clients and the log see it: `co_…`, or `test_…` for test data. */
export function printEnvironment(environmentId: StoredId): string {
  const printed = printId('co', companyOf(environmentId));
  return modeOf(environmentId) === 'live' ? printed : printed.replace('co_', 'test_');
}

/** Returns the environment that {@link printEnvironment} prints so; `null` if there is none. */
export function storedEnvironment(text: string): StoredId | null {
  const parts = readId(text);
  return parts?.prefix === 'test' ? environmentOf(parts.id, 'test') : storedId('co', text);
}
