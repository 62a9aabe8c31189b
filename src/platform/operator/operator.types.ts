import type { DataSource } from 'typeorm';

/** Where a command does its work. */
export interface OperatorContext {
  dataSource: DataSource;
  /** Aborted when nobody waits for the command, or the service stops. */
  stop: AbortSignal;
}

/** Does the work of a command and returns what to print. */
export type OperatorWork = (context: OperatorContext) => Promise<string>;

/** A command of the operator, such as `npm run platform-key`. */
export interface OperatorCommand {
  /** Its name in a request to the running service. */
  name: string;
  usage: string;
  /**
   * How it opens the embedded database while the service does not run: `new` creates one, and
   * `unchanged` takes any schema. Otherwise the database must exist, and is brought up to date.
   */
  opens?: 'new' | 'unchanged';
  /**
   * Reads the arguments after the name.
   *
   * @param directory where relative paths begin
   * @throws Error if they are not valid
   */
  read(args: readonly string[], directory: string): OperatorWork;
  /** Returns work that needs no database, if that is what the arguments ask for. */
  readLocal?(args: readonly string[], directory: string): (() => Promise<string>) | undefined;
}
