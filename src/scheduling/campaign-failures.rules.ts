/**
 * Ends background work in which some campaigns failed, after every other one had its turn.
 *
 * @param failures by campaign
 * @throws Error with the first failure, if there is one
 */
export function throwFirst(failures: ReadonlyMap<string, unknown>): void {
  if (failures.size > 0) {
    const [cause] = failures.values();
    throw new Error(`${failures.size} campaigns: ${String(cause)}`, { cause });
  }
}
