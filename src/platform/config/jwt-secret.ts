import { Env } from './env';
import { keptSecret } from './kept-secret';

/**
 * Returns the secret that signs account tokens: `JWT_SECRET`, or else the one in the data
 * directory.
 *
 * @throws InvalidEnvError if the secret in the data directory cannot be used
 */
export function jwtSecret({ JWT_SECRET, DATA_DIR }: Env): string {
  return (
    JWT_SECRET ??
    keptSecret(
      DATA_DIR,
      'jwt-secret',
      'Delete it to have a new one generated; account tokens issued so far then stop working.',
    )
  );
}
