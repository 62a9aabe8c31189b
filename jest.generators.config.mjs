import base from './jest.config.mjs';

/**
 * `npm run test:generators`: clients that others make of openapi.json, compiled and used.
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/generators/**/*.spec.ts'],
  testTimeout: 120_000,
};
