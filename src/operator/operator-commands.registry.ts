import type { OperatorCommand, OperatorWork } from './operator.types';

/** The commands that the running service can execute. */
export class OperatorCommands {
  constructor(private readonly commands: readonly OperatorCommand[]) {}

  /**
   * Reads a request: the directory where the operator is, the name of a command, its arguments.
   *
   * @throws Error if there is no such command, or its arguments are not valid
   */
  read([directory = '', name = '', ...args]: readonly string[]): OperatorWork {
    const command = this.commands.find((each) => each.name === name);
    if (command === undefined) {
      throw new Error(`The service knows no command "${name}".`);
    }
    return command.read(args, directory);
  }
}
