/**
 * Measures a duration until one is below a limit, and returns the shortest. Other work on the
 * machine makes durations longer, never shorter.
 *
 * @param limit in the unit of the measurements
 */
export async function shortest(
  limit: number,
  measure: () => Promise<number>,
  attempts = 10,
): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; least >= limit && attempt < attempts; attempt += 1) {
    least = Math.min(least, await measure());
  }
  return least;
}
