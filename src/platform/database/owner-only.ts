import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidEnvError } from '../config/env';

/** The mode bits that give the group and others access. */
const OTHERS = 0o077;

/** The files and directories that the service creates in its data directory. */
const OWN_ENTRIES = ['lock', 'postgres', 'jwt-secret', 'encryption-key', 'operator.sock'];

/** Windows has no mode bits; there, access lists protect a user's own files. */
const HAS_MODES = process.platform !== 'win32';

/**
 * Closes the data directory to other users, so that they cannot reach anything in it, whatever its
 * mode. A directory that also holds other files is left unchanged.
 *
 * @throws InvalidEnvError if others have access and the service may not change that
 */
export function closeDataDirectory(directory: string): void {
  const mode = statSync(directory).mode & 0o7777;
  if (!HAS_MODES || (mode & OTHERS) === 0) {
    return;
  }
  const [foreign] = readdirSync(directory).filter((name) => !OWN_ENTRIES.includes(name));
  if (foreign !== undefined) {
    throw exposed(
      directory,
      mode,
      `which also holds files that are not of this service (${foreign}). Run "chmod 700 ${directory}", or set`,
    );
  }
  try {
    chmodSync(directory, mode & ~OTHERS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') {
      throw error;
    }
    throw exposed(directory, mode, 'and it belongs to another user. Set');
  }
}

function exposed(directory: string, mode: number, reason: string): InvalidEnvError {
  return new InvalidEnvError(
    `Other users of this machine have access to the data directory ${directory} ` +
      `(its mode is ${mode.toString(8)}), ${reason} DATA_DIR to a directory inside it.`,
  );
}

/** Closes a file, or a directory with everything in it, to other users. Does not follow links. */
export function closeToOthers(path: string): void {
  if (!HAS_MODES || !existsSync(path)) {
    return;
  }
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) {
    return;
  }
  if ((stat.mode & OTHERS) !== 0) {
    chmodSync(path, stat.mode & 0o7777 & ~OTHERS);
  }
  if (stat.isDirectory()) {
    for (const name of readdirSync(path)) {
      closeToOthers(join(path, name));
    }
  }
}
