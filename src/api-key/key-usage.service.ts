import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ApiKey } from './api-key.entity';

/** Milliseconds between two writings of when keys were last used. */
const FLUSH_INTERVAL = 30_000;

/** Keeps when each key was last used, and writes it down now and then: never a write a request. */
@Injectable()
export class KeyUsageService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(KeyUsageService.name);
  private lastUsed = new Map<string, Date>();
  private timer?: NodeJS.Timeout;

  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL).unref();
  }

  // When the last request has been answered, and before the connections are closed.
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A key was used just now. */
  record(keyId: string): void {
    this.lastUsed.set(keyId, new Date());
  }

  /** Writes down what was recorded since the last time; what fails is written the next time. */
  async flush(): Promise<void> {
    const recorded = this.lastUsed;
    if (recorded.size === 0) {
      return;
    }
    this.lastUsed = new Map();
    try {
      await this.keys.query(
        `UPDATE api_key SET last_used_at = greatest(last_used_at, used.at)
         FROM unnest($1::text[], $2::timestamptz[]) AS used (key_id, at)
         WHERE api_key.key_id = used.key_id`,
        [[...recorded.keys()], [...recorded.values()]],
      );
    } catch (error) {
      this.logger.warn(`last_used_at was not written: ${(error as Error).message}`);
      this.lastUsed = new Map([...recorded, ...this.lastUsed]);
    }
  }
}
