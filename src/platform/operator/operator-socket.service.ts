import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  OnApplicationBootstrap,
  OnModuleDestroy,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { isEmbedded } from '../database/data-source';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { BLANK_INTERVAL, IDLE_LIMIT, Reply, socketPath } from './operator-request';
import type { OperatorCommand, OperatorWork } from './operator.types';
import { errorMessage } from '../logging/error-message';

/** Provides the commands that the running service can execute. */
export const OPERATOR_COMMANDS = Symbol('OPERATOR_COMMANDS');

/** Characters of a request at most, and connections at once. */
const LENGTH_MAXIMUM = 4_096;
const CONNECTIONS_MAXIMUM = 4;

/**
 * Runs the operator's commands while the service has the embedded database open.
 * The socket is in the data directory, which is closed to other users: whoever can connect could as
 * well stop the service and open the database.
 */
@Injectable()
export class OperatorSocket implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OperatorSocket.name);
  private readonly server = createServer({ allowHalfOpen: true }, (socket) => {
    this.receive(socket);
  });

  private requests = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly env: Env,
    @Inject(OPERATOR_COMMANDS) private readonly commands: readonly OperatorCommand[],
    private readonly jobs: BackgroundJobs,
  ) {}

  /** Windows has no sockets in directories; there, the command asks to stop the service first. */
  async onApplicationBootstrap(): Promise<void> {
    if (!isEmbedded(this.env) || process.platform === 'win32') {
      return;
    }
    const path = socketPath(this.env.DATA_DIR);
    this.server.maxConnections = CONNECTIONS_MAXIMUM;
    try {
      // A killed service leaves its socket behind. The lock of the directory says that none runs.
      await rm(path, { force: true });
      this.server.listen(path).unref();
      await once(this.server, 'listening');
      await chmod(path, 0o600);
    } catch (error) {
      this.logger.warn(`the operator's commands need the service to be stopped: ${String(error)}`);
    }
  }

  onModuleDestroy(): void {
    this.server.close();
  }

  private receive(socket: Socket): void {
    let request = '';
    socket
      .setEncoding('utf8')
      .setTimeout(IDLE_LIMIT, () => socket.destroy())
      .on('error', () => socket.destroy())
      .on('data', (part: string) => {
        request += part;
        if (request.length > LENGTH_MAXIMUM) {
          socket.destroy();
        }
      })
      .on('end', () => {
        void this.reply(request, socket).then((reply) => socket.end(JSON.stringify(reply)));
      });
  }

  /** Works until it is done, nobody waits, or the service stops. Blanks show that it works. */
  private async reply(request: string, socket: Socket): Promise<Reply> {
    const gone = new AbortController();
    socket.once('close', () => {
      gone.abort();
    });
    const blanks = setInterval(() => socket.write(' '), BLANK_INTERVAL);
    let reply: Reply = { error: 'The service is stopping.' };
    await this.jobs.run(`run a command of the operator (${(this.requests += 1)})`, async (stop) => {
      try {
        const work = this.read(readArguments(request));
        const signal = AbortSignal.any([stop, gone.signal]);
        reply = { output: await work({ dataSource: this.dataSource, stop: signal }) };
      } catch (error) {
        reply = { error: errorMessage(error) };
      }
    });
    clearInterval(blanks);
    return reply;
  }

  /** Reads a request: the directory where the operator is, the name of a command, its arguments. */
  private read([directory = '', name = '', ...args]: readonly string[]): OperatorWork {
    const command = this.commands.find((each) => each.name === name);
    if (command === undefined) {
      throw new Error(`The service knows no command "${name}".`);
    }
    return command.read(args, directory);
  }
}

function readArguments(request: string): string[] {
  const args: unknown = JSON.parse(request);
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) {
    throw new Error('A request is a list of arguments.');
  }
  return args;
}
