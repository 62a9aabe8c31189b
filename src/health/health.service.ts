import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pendingMigrations } from '../database/schema';
import { ApiError } from '../http/api-error';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  /** Whether the service is about to stop. */
  stopping = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  beforeApplicationShutdown(): void {
    this.announceStop();
  }

  /** From now on the service is not ready, and asks clients to send their next request elsewhere. */
  announceStop(): void {
    this.stopping = true;
  }

  /** @throws ApiError `service_unavailable` with the reason */
  async requireReady(): Promise<void> {
    if (this.stopping) {
      throw notReady('The service is stopping.');
    }
    let pending: string[];
    try {
      pending = await pendingMigrations(this.dataSource);
    } catch (error) {
      throw notReady('The database does not answer.', error);
    }
    if (pending.length > 0) {
      throw notReady('The database schema is behind this version of the service.');
    }
  }
}

function notReady(reason: string, cause?: unknown): ApiError {
  const error = new ApiError('service_unavailable', reason, [], { 'retry-after': '1' });
  error.cause = cause;
  return error;
}
