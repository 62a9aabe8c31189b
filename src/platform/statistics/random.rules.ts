import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** The seeds: whole numbers of 32 bits. */
export const SEED = { minimum: 0, maximum: 4_294_967_295 } as const;

/** How many values a draw has. */
export const DRAWS = 2 ** 32;

/** Draws whole numbers of 32 bits. */
export type Draws = RandomGenerator;

/**
 * Returns streams of draws that depend on the seed alone, on every machine. Each begins 2^64 draws
 * after the one before it in the sequence of xoroshiro128+, so no two of them overlap.
 */
export function* streamsOf(seed: number): Generator<Draws, never> {
  const generator = xoroshiro128plus(seed);
  for (;;) {
    generator.jump();
    yield generator.clone();
  }
}

/** Returns a whole number from 0 to `count` - 1, from one draw. */
export function drawBelow(draws: Draws, count: number): number {
  return Math.floor(((draws.next() >>> 0) / DRAWS) * count);
}
