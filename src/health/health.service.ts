import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { lacksWorkers } from '../database/citus';
import { isReadOnly } from '../database/read-only';
import { pendingMigrations } from '../database/schema';
import { ApiError, serviceUnavailable } from '../http/api-error';

/**
 * Milliseconds for which the result of a check holds. Anyone can ask for it as often as they like.
 */
const TIME_TO_LIVE = 500;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  /** Whether the service is stopping. */
  stopping = false;
  /** The check under way, or the last one while its result holds. */
  private check?: Promise<void>;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  beforeApplicationShutdown(): void {
    this.announceStop();
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
      pending = await pendingMigrations(this.dataSource);
      spread = !(await lacksWorkers(this.dataSource));
      readOnly = await isReadOnly(this.dataSource);
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
