// `node bench/false-alarms.mjs`: how many of 5,000 simulated campaigns with 1,000 independent
// responses a guardrail on `cohort_share` `gt` 0.3 stops, by the true share, `last` and
// `confidence`. docs/guardrails.md has the table, and a test of
// src/campaigns/guardrail/evaluate.rules.ts simulates a part of it with the code of the service.
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const CAMPAIGNS = 5_000;
const RESPONSES = 1_000;
const VALUE = 0.3;
const MINIMUM_RESPONSES = 30;

/** The normal quantiles of two-sided intervals. */
const QUANTILES = { 0: 0, 0.95: 1.959964, 0.99: 2.575829, 0.999: 3.290527, 0.9999: 3.890592 };

/** The lower bound of Wilson's interval. */
function lowerBound(part, all, z) {
  const square = z * z;
  const half = Math.sqrt(square * (part * (1 - part / all) + square / 4));
  return (part + square / 2 - half) / (all + square);
}

for (const share of [0.3, 0.25, 0.2]) {
  for (const last of [Infinity, 200, 50]) {
    const random = xoroshiro128plus(2026);
    const fired = new Map(Object.keys(QUANTILES).map((confidence) => [confidence, 0]));
    for (let campaign = 0; campaign < CAMPAIGNS; campaign++) {
      const responses = Array.from({ length: RESPONSES }, () =>
        Number((random.next() >>> 0) / 2 ** 32 < share),
      );
      const waiting = new Map(Object.entries(QUANTILES));
      let part = 0;
      for (const [index, response] of responses.entries()) {
        part += response - (responses[index - last] ?? 0);
        const all = Math.min(index + 1, last);
        if (all < MINIMUM_RESPONSES || part / all <= VALUE) {
          continue;
        }
        for (const [confidence, z] of waiting) {
          if (lowerBound(part, all, z) > VALUE) {
            waiting.delete(confidence);
            fired.set(confidence, fired.get(confidence) + 1);
          }
        }
      }
    }
    const rates = [...fired].map(([confidence, count]) => {
      const rate = ((100 * count) / CAMPAIGNS).toFixed(1);
      return `${confidence}: ${rate} %`;
    });
    process.stdout.write(`share ${share}, last ${last}: ${rates.join(', ')}\n`);
  }
}
