import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';

/** Another process is using the data directory. */
export class DirectoryLockedError extends Error {
  override name = 'DirectoryLockedError';

  constructor(directory: string) {
    super(
      `The data directory ${directory} is in use by another process. ` +
        'Stop that process, or set DATA_DIR to another directory, or use PostgreSQL (DATABASE_URL) to run several.',
    );
  }
}

/**
 * Takes the operating system's lock on a data directory, making the directory if need be. Two
 * processes on one embedded database would lose each other's writes without any error. The system
 * frees the lock when the process ends, however it ends.
 *
 * @returns a function that frees the lock
 * @throws DirectoryLockedError
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = openSync(join(directory, 'lock'), 'a+', 0o600);
  if (!tryLock(file)) {
    closeSync(file);
    throw new DirectoryLockedError(directory);
  }
  return () => {
    unlock(file);
    closeSync(file);
  };
}
