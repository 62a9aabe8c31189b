/** Returns the first of the numbered places that is free; beyond the last one if all are taken. */
export function lowestFreeSlot(taken: readonly number[]): number {
  let place = 1;
  while (taken.includes(place)) {
    place += 1;
  }
  return place;
}
