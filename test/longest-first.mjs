import Sequencer from '@jest/test-sequencer';

/**
 * The files that take longest. Where Jest has not run them before, it would start with the largest
 * files, and a long run could begin when all others have ended.
 */
const LONGEST = [
  'test/system/sdk-package.spec.ts',
  'test/sdk.spec.ts',
  'test/campaign-life.spec.ts',
  'test/openapi.spec.ts',
  'test/events.spec.ts',
  'test/campaigns.spec.ts',
  'test/webhooks.spec.ts',
  'test/fielding.spec.ts',
  'test/accounts.spec.ts',
  'test/webhook-delivery.spec.ts',
  'test/keys.spec.ts',
  'test/system/platform-key.spec.ts',
  'test/system/export.spec.ts',
  'test/system/monitoring.spec.ts',
  'test/system/embedded.spec.ts',
  'test/system/clocks.spec.ts',
  'test/system/campaign-times.spec.ts',
  'test/system/webhooks.spec.ts',
  'test/system/process.spec.ts',
  'test/system/code-samples.spec.ts',
  'test/reconciliation.spec.ts',
  'test/browser/docs-examples.spec.ts',
  'test/generators/generators.spec.ts',
  'test/browser/docs.spec.ts',
  'test/faults/database.spec.ts',
  'test/faults/data-directory.spec.ts',
];

/** Starts the longest files first, so that no core is idle at the end of a run. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
      return index === -1 ? LONGEST.length : index;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
