import { QueryFailedError } from 'typeorm';

/** SQLSTATE class 23: a constraint was broken. */
const INTEGRITY_CONSTRAINT_VIOLATION = '23';

/**
 * Runs a statement and turns the breaking of a named constraint into the error it means to the
 * caller. The database is the judge; nothing is checked before.
 *
 * @param work the statement
 * @param meanings the error for each constraint that the caller can break
 */
export async function withConstraints<T>(
  work: () => Promise<T>,
  meanings: Readonly<Record<string, () => Error>>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const meaning = meanings[violatedConstraint(error) ?? ''];
    throw meaning === undefined ? error : meaning();
  }
}

function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof QueryFailedError)) {
    return undefined;
  }
  const { code, constraint } = error.driverError as Error & { code?: string; constraint?: string };
  return code?.startsWith(INTEGRITY_CONSTRAINT_VIOLATION) === true ? constraint : undefined;
}
