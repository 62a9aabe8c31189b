/** SQLSTATE of a write for which the disk has no room. */
const DISK_FULL = '53100';

/** Milliseconds for which the disk counts as full after such a write. */
const REMEMBERED = 60_000;

let lastFull = -Infinity;

/** Notes whether a statement failed because the disk of the database is full. */
export function noteDiskFull(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === DISK_FULL) {
    lastFull = performance.now();
  }
}

/** Whether a write of this process has found the disk full within the last minute. */
export function isDiskFull(): boolean {
  return performance.now() - lastFull < REMEMBERED;
}
