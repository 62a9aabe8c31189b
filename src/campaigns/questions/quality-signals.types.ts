/**
 * What a response can be flagged for. The bit of each is 1, 2, 4 and 8; the functions
 * `submit_participation` and `add_to_tally` know them too.
 */
export const QUALITY_SIGNALS = [
  'fast',
  'straight_lining',
  'inconsistent',
  'repeated_text',
] as const;

export type QualitySignal = (typeof QUALITY_SIGNALS)[number];
