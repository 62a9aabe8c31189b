import base from './jest.config.mjs';

/**
 * `npm run test:system`: what starts, stops, breaks and floods whole processes. It takes longer than
 * everything else together, so it is a suite of its own.
 *
 * @type {import('jest').Config}
 */
export default { ...base, testMatch: ['<rootDir>/test/system/**/*.spec.ts'] };
