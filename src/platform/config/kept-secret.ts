import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidEnvError } from './env';
import { isStrongSecret } from './strong-secret';

/** The mode bits that give the group and others access. */
const OTHERS = 0o077;

/**
 * Returns a secret that is generated at the first start and kept in the data directory, in a file
 * that only its owner can read.
 *
 * @param ifDamaged what to do about a damaged file, for the error message
 * @throws InvalidEnvError if the file is damaged or if other users can read it
 */
export function keptSecret(directory: string, name: string, ifDamaged: string): string {
  const file = join(directory, name);
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  const mode = statSync(file).mode & 0o777;
  // Windows has no such mode bits.
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
    throw new InvalidEnvError(
      `Other users of this machine have access to ${file} (its mode is ${mode.toString(8)}). ` +
        `Run "chmod 600 ${file}". If one of them can have read it, then change the secret, as ` +
        'docs/secrets.md describes.',
    );
  }
  // An editor ends the file with a line feed.
  const secret = readFileSync(file, 'utf8').trim();
  if (!isStrongSecret(secret)) {
    throw new InvalidEnvError(`${file} is damaged. ${ifDamaged}`);
  }
  return secret;
}
