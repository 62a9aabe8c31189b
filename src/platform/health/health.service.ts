import { BeforeApplicationShutdown, Injectable, OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { lacksWorkers } from '../database/citus';
import { OwnConnection } from '../database/own-connection';
import { isReadOnly } from '../database/read-only';
import { pendingMigrations } from '../database/schema';
import { ApiError, serviceUnavailable } from '../protocol/api-error';

/**
 * Milliseconds for which the result of a check holds. Anyone can ask for it as often as they like.
 */
const TIME_TO_LIVE = 500;

@Injectable()
export class HealthService implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** Whether the service is stopping. */
  stopping = false;
  /** The check under way, or the last one while its result holds. */
  private check?: Promise<void>;
  /** A load balancer takes an instance away that is not ready, however long its requests wait. */
  private readonly connection: OwnConnection;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.connection = new OwnConnection(dataSource);
  }

  beforeApplicationShutdown(): void {
    this.announceStop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }

  /** From now on, reports the service as not ready and asks clients to close their connections. */
  announceStop(): void {
    this.stopping = true;
  }

  /** @throws ApiError `service_unavailable` with the reason */
  async requireReady(): Promise<void> {
    if (this.stopping) {
      throw notReady('The service is stopping.');
    }
    this.check ??= this.checkDatabase().finally(() => {
      setTimeout(() => (this.check = undefined), TIME_TO_LIVE).unref();
    });
    await this.check;
  }

  private async checkDatabase(): Promise<void> {
    let pending: string[];
    let spread: boolean;
    let readOnly: boolean;
    try {
      pending = await pendingMigrations(this.connection);
      spread = !(await lacksWorkers(this.connection));
      readOnly = await isReadOnly(this.connection);
      if (readOnly) {
        await this.connection.reopen();
      }
    } catch (error) {
      throw notReady('The database does not respond.', error);
    }
    if (pending.length > 0) {
      throw notReady('The database schema is behind this version of the service.');
    }
    if (!spread) {
      throw notReady('The Citus coordinator has no worker.');
    }
    if (readOnly) {
      throw notReady('The database is read-only.');
    }
  }
}

function notReady(reason: string, cause?: unknown): ApiError {
  const error = serviceUnavailable(reason);
  error.cause = cause;
  return error;
}
