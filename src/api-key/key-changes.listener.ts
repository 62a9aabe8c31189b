import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { Env } from '../config/env';
import { KeyCache } from './key-cache';

/** The channel on which the database tells that a key was changed (see the migrations). */
const CHANNEL = 'api_key_changed';

/** Milliseconds between two checks that the connection still lives, and for one to be answered. */
const HEARTBEAT_INTERVAL = 400;
const HEARTBEAT_TIMEOUT = 400;

/** Milliseconds before another attempt to connect. */
const RECONNECT_DELAY = 500;

/**
 * Hears of keys that other processes have changed, over a PostgreSQL connection of its own, so
 * that a revoked key is refused everywhere within a second. From the moment the connection fails
 * until it is back, keys are not cached. The embedded database has one process and needs none.
 */
@Injectable()
export class KeyChangesListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyChangesListener.name);
  private readonly stop = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly env: Env,
    private readonly cache: KeyCache,
  ) {}

  onApplicationBootstrap(): void {
    const { DATABASE_URL: url } = this.env;
    if (url !== undefined) {
      this.cache.setUsable(false);
      this.running = this.run(url);
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private async run(url: string): Promise<void> {
    while (!this.stopped) {
      try {
        await this.listen(url);
      } catch (error) {
        this.logger.warn(`not hearing of API key changes: ${(error as Error).message}`);
      } finally {
        this.cache.setUsable(false);
      }
      await this.pause(RECONNECT_DELAY);
    }
  }

  /** Listens until the connection fails or the service stops. */
  private async listen(url: string): Promise<void> {
    const client = new Client({
      connectionString: url,
      application_name: 'campaign-service key changes',
      connectionTimeoutMillis: HEARTBEAT_TIMEOUT * 5,
      query_timeout: HEARTBEAT_TIMEOUT,
    });
    // A failure between two heartbeats shows at the next one; without a listener it would end
    // the process.
    client.on('error', () => {
      this.cache.setUsable(false);
    });
    client.on('notification', () => {
      this.cache.clear();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.cache.setUsable(true);
      while (!this.stopped) {
        await this.pause(HEARTBEAT_INTERVAL);
        await client.query('SELECT 1');
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private get stopped(): boolean {
    return this.stop.signal.aborted;
  }

  /** Waits, but not when the service stops. */
  private async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }
}
