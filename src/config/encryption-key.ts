import { hkdfSync } from 'node:crypto';
import { Env } from './env';
import { keptSecret } from './kept-secret';

const KEY_LENGTH = 32;

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
    keptSecret(
      env.DATA_DIR,
      'encryption-key',
      'requests with an Idempotency-Key that are sent again are then done again',
    );
  const previous = env.ENCRYPTION_KEY_PREVIOUS;
  return previous === undefined
    ? [derive(current, purpose)]
    : [derive(current, purpose), derive(previous, purpose)];
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_LENGTH));
}
