import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * One project per kind of test: `npm test` runs `service`, `npm run test:<project>` runs another
 * one.
 *
 * Jest accepts time limits and the number of workers for a whole run only, so scripts/test.mjs sets
 * them per project. With TEST_DATABASE_URL the tests run on that PostgreSQL server, each in its own
 * database; without it, on the embedded database.
 */

const rootDir = fileURLToPath(new URL('..', import.meta.url));

const swc = {
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: true,
    },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};

/** @type {(displayName: string, options?: import('jest').Config) => import('jest').Config} */
const project = (displayName, options = {}) => ({
  displayName,
  rootDir,
  testMatch: [`<rootDir>/test/${displayName}/**/*.spec.ts`],
  transform: { '\\.[cm]?[jt]s$': ['@swc/jest', swc] },
  // Jest cannot require packages that are ES modules only, such as Nest 12.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@electric-sql|cookie|jose|content-disposition|file-type|request-filtering-agent)/)',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  ...options,
});

/** @type {import('jest').Config} */
export default {
  rootDir,
  projects: [
    // The service through HTTP, and unit tests beside the file they test.
    project('service', {
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    }),
    // Whole processes: how they start, stop, fail and withstand abuse.
    project('system'),
    // The documentation pages in Chromium, at CHROMIUM_PATH or /usr/bin/chromium.
    project('browser'),
    // Clients that other generators create from openapi.json.
    project('generators'),
    // Killed processes, a database that stops, hangs or is full, and a rolling restart.
    project('faults'),
    // On the Citus cluster of CITUS_URL, and on one that the tests start and break.
    project('citus'),
  ],
  testTimeout: 60_000,
  // More than there are cores, because most tests wait for processes, timers and the database.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  testSequencer: '<rootDir>/test/longest-first.mjs',
  collectCoverageFrom: ['src/**/*.ts', '!src/metadata.ts', '!src/**/*.d.ts', '!src/**/*.spec.ts'],
  coverageReporters: ['text', 'lcov'],
};
