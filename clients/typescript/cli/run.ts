import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.js';
import { failureOf } from './failure.js';
import { createProgram } from './program.js';
import { Session, type Surroundings } from './session.js';

/** Runs a command line, and returns the exit code. */
export async function run(argv: readonly string[], io: Surroundings): Promise<number> {
  const session = new Session(io);
  try {
    await createProgram(session).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed its message, or the help.
      return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    }
    session.fail(failureOf(error));
  }
  return session.exitCode;
}
