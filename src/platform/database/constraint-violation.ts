import { QueryFailedError } from 'typeorm';

/** SQLSTATE class 23: a constraint was violated. */
const INTEGRITY_CONSTRAINT_VIOLATION = '23';

/** The constraint's name in the message of a Citus worker's error, which has no field for it. */
const NAME_IN_MESSAGE = /constraint "(\w+)"/;

/** The suffix that Citus adds to the name of a shard's constraint. */
const SHARD_NUMBER = /_\d{6,}$/;

/** The error for a constraint, given what the database says in detail. */
type Meanings = Readonly<Record<string, (detail?: string) => Error>>;

/**
 * Runs a statement and converts the violation of a named constraint to the error for the caller.
 * The database decides; nothing is checked before.
 *
 * @param work the statement
 * @param meanings the error for each constraint that the caller can violate
 */
export async function withConstraints<T>(work: () => Promise<T>, meanings: Meanings): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw meanings[violatedConstraint(error) ?? '']?.(detailOf(error)) ?? error;
  }
}

function detailOf(error: unknown): string | undefined {
  return error instanceof QueryFailedError
    ? (error.driverError as Error & { detail?: string }).detail
    : undefined;
}

/** Returns the name of the violated constraint, if that is why a statement failed. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof QueryFailedError)) {
    return undefined;
  }
  const { code, constraint, message } = error.driverError as Error & {
    code?: string;
    constraint?: string;
  };
  if (code?.startsWith(INTEGRITY_CONSTRAINT_VIOLATION) !== true) {
    return undefined;
  }
  const name = constraint ?? NAME_IN_MESSAGE.exec(message)?.[1];
  return name?.replace(SHARD_NUMBER, '');
}
