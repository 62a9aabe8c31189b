import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { Env } from '../config/env';
import { KeyCache } from './key-cache';

/** The channel on which the database tells that a key was changed (see the migrations). */
const CHANNEL = 'api_key_changed';

/** Milliseconds between two checks that the connection still lives. */
const HEARTBEAT_INTERVAL = 300;

/**
 * Milliseconds for which an answered heartbeat vouches, from when it was sent: whatever was
 * changed before it was heard of before its answer. A key is refused everywhere within this time.
 */
const HEARTBEAT_VOUCHES = 800;

/** Milliseconds after which a connection that does not answer is given up. */
const ANSWER_TIMEOUT = 1_000;
const CONNECTION_TIMEOUT = 2_000;

/** Milliseconds before another attempt to connect. */
const RECONNECT_DELAY = 500;

/**
 * Hears of keys that other processes have changed, over a PostgreSQL connection of its own, so
 * that a revoked key is refused everywhere within a second. While the connection is not known to
 * live, keys are not cached. The embedded database has one process and needs none.
 */
@Injectable()
export class KeyChangesListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyChangesListener.name);
  private readonly stop = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private socket?: Socket;
  private warned = false;

  constructor(
    private readonly env: Env,
    private readonly cache: KeyCache,
  ) {}

  onApplicationBootstrap(): void {
    const { DATABASE_URL: url } = this.env;
    if (url !== undefined) {
      this.cache.distrust();
      this.running = this.run(url);
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    this.socket?.destroy();
    await this.running;
  }

  private async run(url: string): Promise<void> {
    while (!this.stopped) {
      try {
        await this.listen(url);
      } catch (error) {
        this.warn(error as NodeJS.ErrnoException);
      } finally {
        this.cache.distrust();
      }
      await this.pause(RECONNECT_DELAY);
    }
  }

  /** Listens until the connection fails or the service stops. */
  private async listen(url: string): Promise<void> {
    // A socket of its own, to close it at once: a polite end would wait for a server that may be
    // out of reach.
    const socket = new Socket();
    this.socket = socket;
    const client = new Client({
      connectionString: url,
      application_name: 'campaign-service key changes',
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
      stream: () => socket,
    });
    // A failure between two heartbeats shows at the next one; without a listener it would end
    // the process.
    client.on('error', () => {
      this.cache.distrust();
    });
    client.on('notification', () => {
      this.cache.clear();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.unwarn();
      while (!this.stopped) {
        const asked = performance.now();
        await client.query('SELECT 1');
        this.cache.trustUntil(asked + HEARTBEAT_VOUCHES);
        await this.pause(HEARTBEAT_INTERVAL);
      }
    } finally {
      const ended = client.end();
      socket.destroy();
      await ended;
    }
  }

  /** Tells the operator, once for all the attempts until it works again. */
  private warn({ message, code }: NodeJS.ErrnoException): void {
    if (!this.warned && !this.stopped) {
      this.warned = true;
      this.logger.warn(`not hearing of API key changes, so not caching keys: ${message || code}`);
    }
  }

  private unwarn(): void {
    if (this.warned) {
      this.warned = false;
      this.logger.warn('hearing of API key changes again');
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
