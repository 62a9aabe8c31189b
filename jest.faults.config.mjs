import base from './jest.config.mjs';

/**
 * `npm run test:faults`: what the service makes of killed processes, of a database that stops, hangs or
 * is full, and of a rolling restart. One file after another, as each measures times.
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/**/*.spec.ts'],
  maxWorkers: 1,
  testTimeout: 600_000,
};
