import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env, InvalidEnvError, isStrongSecret } from './env';

/**
 * The secret that signs account tokens: `JWT_SECRET`, or on the embedded default one made at the
 * first start and kept in the data directory, readable by its owner only.
 *
 * @throws InvalidEnvError if the kept file is damaged
 */
export function jwtSecret(env: Env): string {
  if (env.JWT_SECRET !== undefined) {
    return env.JWT_SECRET;
  }
  const file = join(env.DATA_DIR, 'jwt-secret');
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  const secret = readFileSync(file, 'utf8');
  if (!isStrongSecret(secret)) {
    throw new InvalidEnvError(
      `${file} is damaged. Delete it to have a new secret made; account tokens issued so far then stop working.`,
    );
  }
  return secret;
}
