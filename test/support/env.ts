import { Env, loadEnv } from '../../src/platform/config/env';

export const TEST_JWT_SECRET = 'a secret for tests only, 0123456789';
export const TEST_ENCRYPTION_KEY = 'a key for tests only, 0123456789abcdef';

/** A secret that replaces one of these. */
export const OTHER_TEST_SECRET = 'another secret for tests, 0123456789';

/** A configuration for tests: any free port, fixed secrets, nothing logged. */
export function testEnv(variables: NodeJS.ProcessEnv): Env {
  return loadEnv({
    NODE_ENV: 'test',
    PORT: '0',
    JWT_SECRET: TEST_JWT_SECRET,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ENABLED: 'false',
    ...variables,
  });
}
