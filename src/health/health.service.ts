import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { pendingMigrations } from '../database/schema';
import { ApiError } from '../http/api-error';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** @throws ApiError `service_unavailable` with the reason */
  async requireReady(): Promise<void> {
    if (this.stopping) {
      throw notReady('The service is stopping.');
    }
    const pending = await pendingMigrations(this.dataSource);
    if (pending.length > 0) {
      throw notReady('The database schema is behind this version of the service.');
    }
  }
}

function notReady(reason: string): ApiError {
  return new ApiError('service_unavailable', reason, [], { 'retry-after': '1' });
}
