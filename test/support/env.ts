import { Env, loadEnv } from '../../src/config/env';

export const TEST_JWT_SECRET = 'a secret for tests only, 0123456789';

/** A configuration for tests: any free port, a fixed secret, nothing logged. */
export function testEnv(variables: NodeJS.ProcessEnv): Env {
  return loadEnv({
    NODE_ENV: 'test',
    PORT: '0',
    JWT_SECRET: TEST_JWT_SECRET,
    LOG_LEVEL: 'silent',
    ...variables,
  });
}
