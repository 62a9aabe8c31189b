import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { isEmbedded } from '../database/data-source';
import { readCommand } from './operator-commands';
import { IDLE_LIMIT, Reply, socketPath } from './operator-request';
import { PlatformKeyService } from './platform-key.service';

/** Characters of a request at most, and connections at once. */
const LENGTH_MAXIMUM = 4_096;
const CONNECTIONS_MAXIMUM = 4;

/**
 * Runs the operator's command for platform keys while the service has the embedded database open.
 * The socket is in the data directory, which is closed to other users: whoever can connect could as
 * well stop the service and open the database.
 */
@Injectable()
export class OperatorSocket implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OperatorSocket.name);
  private readonly server = createServer({ allowHalfOpen: true }, (socket) => {
    this.receive(socket);
  });

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly env: Env,
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
      this.logger.warn(
        `platform keys can only be managed while the service is stopped: ${String(error)}`,
      );
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
        void this.reply(request).then((reply) => socket.end(JSON.stringify(reply)));
      });
  }

  private async reply(request: string): Promise<Reply> {
    try {
      const command = readCommand(readArguments(request));
      return { output: await command(new PlatformKeyService(this.dataSource.manager)) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}

function readArguments(request: string): string[] {
  const args: unknown = JSON.parse(request);
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) {
    throw new Error('A request is a list of arguments.');
  }
  return args;
}
