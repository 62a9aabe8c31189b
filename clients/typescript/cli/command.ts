import type { Command } from 'commander';
import { EXIT } from './exit-codes.js';
import { CommandError } from './failure.js';
import type { Session } from './session.js';

/** Adds a command that has `--json`, and a handler with its arguments and options. */
export function addCommand<Options extends object>(
  parent: Command,
  session: Session,
  usage: string,
  description: string,
  define: (command: Command) => Command,
  act: (options: Options, ...values: (string | undefined)[]) => Promise<void> | void,
): Command {
  const command = define(parent.command(usage).description(description));
  return command
    .option('--json', 'Print JSON for programs')
    .action(async (...parameters: unknown[]) => {
      const { json, ...options } = command.opts<{ json?: boolean }>();
      session.json = json === true;
      const values = parameters.slice(0, -2) as (string | undefined)[];
      await act(options as Options, ...values);
    });
}

/** Reads a whole number of an option. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new CommandError(`${text} is not a whole number.`, EXIT.usage);
  }
  return value;
}

/** Reads a whole number from 1 of an option. */
export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) {
    throw new CommandError('The number must be at least 1.', EXIT.usage);
  }
  return value;
}
