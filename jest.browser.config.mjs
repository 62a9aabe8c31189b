import base from './jest.config.mjs';

/**
 * `npm run test:browser`: the documentation pages in Chromium, at CHROMIUM_PATH or /usr/bin/chromium.
 *
 * @type {import('jest').Config}
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.spec.ts'],
  testTimeout: 300_000,
};
