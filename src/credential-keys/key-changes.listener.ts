import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { Env } from '../config/env';
import { KeyCache } from './key-cache';

/** Channel on which the database announces changes of keys (see the migrations). */
const CHANNEL = 'key_changed';

/** Milliseconds between two heartbeats, which check that the connection works. */
const HEARTBEAT_INTERVAL = 300;

/**
 * Milliseconds for which the cache is trusted after a heartbeat is sent. Changes before the
 * heartbeat are announced before its reply, so a revoked key is refused everywhere within this
 * time.
 */
const HEARTBEAT_VALIDITY = 800;

/** Milliseconds after which a connection without a reply is closed. */
const REPLY_TIMEOUT = 1_000;
const CONNECTION_TIMEOUT = 2_000;

/** Milliseconds between two attempts to connect. */
const RECONNECT_DELAY = 500;

/**
 * Listens on its own PostgreSQL connection for keys that other processes change, so that a revoked
 * key is refused everywhere within a second. Keys are cached only while the connection is known to
 * work. The embedded database has only one process and needs no listener.
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
    // This socket can be closed at once; a regular end would wait for a server that may be
    // unreachable.
    const socket = new Socket();
    this.socket = socket;
    const client = new Client({
      connectionString: url,
      application_name: 'campaign-service key changes',
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      query_timeout: REPLY_TIMEOUT,
      stream: () => socket,
    });
    // The next heartbeat fails too. Without a handler, this event would end the process.
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
        const sent = performance.now();
        await client.query('SELECT 1');
        this.cache.trustUntil(sent + HEARTBEAT_VALIDITY);
        await this.pause(HEARTBEAT_INTERVAL);
      }
    } finally {
      const ended = client.end();
      socket.destroy();
      await ended;
    }
  }

  /** Warns the operator, once per outage. */
  private warn({ message, code }: NodeJS.ErrnoException): void {
    if (!this.warned && !this.stopped) {
      this.warned = true;
      this.logger.warn(
        `cannot listen for API key changes, so keys are not cached: ${message || code}`,
      );
    }
  }

  private unwarn(): void {
    if (this.warned) {
      this.warned = false;
      this.logger.warn('listening for API key changes again');
    }
  }

  private get stopped(): boolean {
    return this.stop.signal.aborted;
  }

  /** Waits until the time has passed or the service stops. */
  private async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }
}
