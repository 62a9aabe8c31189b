import { citusUrl } from './citus';

/** Why a test does not apply to a Citus cluster. */
const REASONS = {
  listPlans: 'test/citus/plans.spec.ts reads the plans of a cluster',
  tableKeys: 'the places of tables are read from their comments, and a cluster drops some of them',
  roles: 'a cluster needs the role on every node',
} as const;

interface Declares {
  describe: (name: string, body: () => void) => void;
  it: (name: string, body: () => Promise<void>) => void;
}

/** `describe` and `it`. On a Citus cluster they skip, and the report has the reason. */
export function unlessOnCitus(exception: keyof typeof REASONS): Declares {
  if (citusUrl === undefined) {
    return { describe, it };
  }
  const skipped = (name: string) => `${name} (not on Citus: ${REASONS[exception]})`;
  return {
    describe: (name, body) => {
      describe.skip(skipped(name), body);
    },
    it: (name, body) => {
      it.skip(skipped(name), body);
    },
  };
}
