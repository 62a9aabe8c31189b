/**
 * `npm test` runs everything on the embedded database; with TEST_DATABASE_URL the same suite runs
 * on that PostgreSQL server, in databases of its own.
 *
 * @type {import('jest').Config}
 */
export default {
  testEnvironment: 'node',
  // Two cores are what the suite is measured on; by default Jest leaves one of them idle.
  maxWorkers: '100%',
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
  transform: { '\\.[cm]?[jt]s$': '@swc/jest' },
  // Nest 12 and what it is made of are ES modules only, which Jest cannot require as they are.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|@electric-sql|cookie|content-disposition|file-type)/)',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
  collectCoverageFrom: ['src/**/*.ts', '!src/metadata.ts', '!src/**/*.d.ts', '!src/**/*.spec.ts'],
  coverageReporters: ['text', 'lcov'],
};
