/**
 * Ends background work in which some things failed, after every other one had its turn.
 *
 * @param things what has failed, in the plural
 * @throws Error with the first failure, if there is one
 */
export function throwFirst(failures: readonly unknown[], things: string): void {
  if (failures.length > 0) {
    const [cause] = failures;
    throw new Error(`${failures.length} ${things}: ${String(cause)}`, { cause });
  }
}
