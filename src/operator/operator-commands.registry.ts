import { Injectable } from '@nestjs/common';
import type { OperatorCommand, OperatorWork } from './operator.types';

/** The commands that the running service can execute. Features add theirs when they start. */
@Injectable()
export class OperatorCommands {
  private readonly commands = new Map<string, OperatorCommand>();

  add(command: OperatorCommand): void {
    this.commands.set(command.name, command);
  }

  /**
   * Reads a request: the directory where the operator is, the name of a command, its arguments.
   *
   * @throws Error if there is no such command, or its arguments are not valid
   */
  read([directory = '', name = '', ...args]: readonly string[]): OperatorWork {
    const command = this.commands.get(name);
    if (command === undefined) {
      throw new Error(`The service knows no command "${name}".`);
    }
    return command.read(args, directory);
  }
}
