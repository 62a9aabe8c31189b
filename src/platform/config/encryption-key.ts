import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from './env';
import { keptSecret } from './kept-secret';

const KEY_LENGTH = 32;

/** The file in the data directory with the key that the service has generated. */
const FILE = 'encryption-key';

/** What a database cannot do without its key, as a sentence of error messages. */
export const WITHOUT_KEY =
  'Without it, nobody can take part in campaigns, webhook messages cannot be signed, and the work ' +
  'of requests that are sent again is done again; see "If a secret leaks or is lost" in ' +
  'docs/secrets.md.';

/** Returns the file that {@link deriveKeys} would write a new key to; `null` if there is a key. */
export function missingKeyFile({ ENCRYPTION_KEY, DATA_DIR }: Env): string | null {
  const file = join(DATA_DIR, FILE);
  return ENCRYPTION_KEY === undefined && !existsSync(file) ? file : null;
}

/**
 * Returns a 256-bit key derived from `ENCRYPTION_KEY`, or else from the key in the data directory,
 * and a second one derived from `ENCRYPTION_KEY_PREVIOUS` if it is set. New data is written with
 * the first key; older data may need the second.
 *
 * @param purpose what the keys are for; keys for different purposes are unrelated
 * @throws InvalidEnvError if the key in the data directory cannot be used
 */
export function deriveKeys(env: Env, purpose: string): [current: Buffer, previous?: Buffer] {
  const current =
    env.ENCRYPTION_KEY ??
    keptSecret(env.DATA_DIR, FILE, `Restore it from a copy of the data directory. ${WITHOUT_KEY}`);
  const previous = env.ENCRYPTION_KEY_PREVIOUS;
  return previous === undefined
    ? [derive(current, purpose)]
    : [derive(current, purpose), derive(previous, purpose)];
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_LENGTH));
}
