import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { SWC, SWC_JSX } from '../scripts/swc.mjs';

/**
 * One project per kind of test: `npm test` runs `service`, `npm run test:<project>` runs another
 * one.
 *
 * With TEST_DATABASE_URL the tests run on that PostgreSQL server, each in its own
 * database; without it, on the embedded database.
 */

const rootDir = fileURLToPath(new URL('..', import.meta.url));

/**
 * Files that run on the embedded database only: their result does not depend on the engine, or it
 * is what they test. `.ci/run` names those in `test/system`, and runs the others by `npm test`.
 * What they do at the same time, where engines differ, is in `test/concurrency`.
 */
const ONCE = [
  'src/.*',
  'test/(accounts|campaigns|keys|openapi|sdk|webhook-delivery)',
  'test/system/(demo|embedded|process|releases)',
];

/** Files that need much data or look at plans: the embedded database takes too long for them. */
const NOT_EMBEDDED = ['test/(plans|reconciliation)'];

/** Files whose result does not differ on one server, but may where rows are on several. */
const NOT_ON_POSTGRES = ['test/(events|webhooks)'];

/** Files whose result does not depend on where the rows of a company are. */
const NOT_ON_CITUS = [
  'test/(database|plans|webhook-wakeups)',
  'test/system/(?!(archive|events|fielding|interrupted-work|webhooks)\\.).*',
];

const onCitus = process.env.CITUS_URL !== undefined;
const onServer = onCitus || process.env.TEST_DATABASE_URL !== undefined;
const ELSEWHERE = onServer
  ? [...ONCE, ...(onCitus ? NOT_ON_CITUS : NOT_ON_POSTGRES)]
  : NOT_EMBEDDED;

/**
 * @type {(displayName: string, seconds: number, options?: import('jest').Config) =>
 * import('jest').Config}
 */
const project = (displayName, seconds, options = {}) => ({
  displayName,
  rootDir,
  testMatch: [`<rootDir>/test/${displayName}/**/*.spec.ts`],
  transform: {
    '\\.[cm]?[jt]s$': ['@swc/jest', { ...SWC, sourceMaps: 'inline' }],
    '\\.tsx$': ['@swc/jest', { ...SWC_JSX, sourceMaps: 'inline' }],
  },
  // Jest cannot require packages that are ES modules only, such as Nest 12.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@electric-sql|cookie|d3-[a-z-]+|internmap|jose|content-disposition|file-type|preact|request-filtering-agent)/)',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...ELSEWHERE.map((file) => `^<rootDir>/${file}\\.spec\\.ts$`),
  ],
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/test/support/time-limit.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  globals: { TEST_SECONDS: seconds },
  ...options,
});

/** @type {import('jest').Config} */
export default {
  rootDir,
  projects: [
    // The service through HTTP, and unit tests beside the file they test.
    project('service', 120, {
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    }),
    // Whole processes: how they start, stop, fail and withstand abuse.
    project('system', 180),
    // The documentation pages in Chromium (CONTRIBUTING says where it is expected).
    project('browser', 900),
    // Clients that other generators create from openapi.json.
    project('generators', 600),
    // Killed processes, a database that stops, hangs or is full, and a rolling restart.
    project('faults', 600),
    // What a company notices of the heavy work of others. Nothing runs beside it.
    project('fairness', 300),
    // On the Citus cluster of CITUS_URL, and on one that the tests start and break.
    project('citus', 600),
  ],
  // More than there are cores, because most tests wait for processes, timers and the database.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: '<rootDir>/test/longest-first.mjs',
  collectCoverageFrom: ['src/**/*.{ts,tsx}', '!src/**/*.d.ts', '!src/**/*.spec.ts'],
  coverageReporters: ['text', 'lcov'],
};
