import { violatedConstraint } from '../../src/platform/database/constraint-violation';

/** The name of the constraint that a statement violates, or `none` if it succeeds. */
export function violated(statement: Promise<unknown>): Promise<string | undefined> {
  return statement.then(() => 'none', violatedConstraint);
}
