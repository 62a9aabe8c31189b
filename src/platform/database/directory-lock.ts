import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { InvalidEnvError } from '../config/env';
import { errorMessage } from '../logging/error-message';
import { closeDataDirectory, closeToOthers } from './owner-only';

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
 * Locks a data directory with the operating system's file lock. Creates the directory if necessary
 * and closes it to other users. Without the lock, two processes on one embedded database would lose
 * each other's writes without an error. The system releases the lock when the process ends, however
 * it ends.
 *
 * @returns a function that releases the lock
 * @throws DirectoryLockedError, InvalidEnvError if the directory cannot be created or other users
 *   have access to it
 */
export function lockDirectory(directory: string): () => void {
  try {
    createDirectory(directory);
  } catch (error) {
    throw new InvalidEnvError(
      `The data directory ${directory} (DATA_DIR) cannot be created: ${errorMessage(error)}`,
    );
  }
  closeDataDirectory(directory);
  const lock = join(directory, 'lock');
  const unlockFile = lockFile(lock);
  if (unlockFile === undefined) {
    throw new DirectoryLockedError(directory);
  }
  closeToOthers(lock);
  return unlockFile;
}

/** Not by Node's option `recursive`: that never ends where nothing can be created, as in /proc. */
function createDirectory(directory: string): void {
  if (!existsSync(directory)) {
    createDirectory(dirname(directory));
    mkdirSync(directory, { mode: 0o700 });
  }
}

/**
 * Locks a file with the operating system's file lock, and creates it if necessary.
 *
 * @returns a function that releases the lock; `undefined` if it is locked already
 */
export function lockFile(path: string): (() => void) | undefined {
  const file = openSync(path, 'a+', 0o600);
  if (!tryLock(file)) {
    closeSync(file);
    return undefined;
  }
  return () => {
    unlock(file);
    closeSync(file);
  };
}
