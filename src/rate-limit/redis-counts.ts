import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Policy, PolicyName } from './policies';

/** Milliseconds until a connection counts as failed, and a command. */
const CONNECT_TIMEOUT = 2_000;
const COMMAND_TIMEOUT = 500;

/** Milliseconds of silence after a command until the connection is given up for a new one. */
const SILENCE_TIMEOUT = 5_000;

/** Milliseconds between two attempts to connect, at most, and between two to count. */
const RECONNECT_DELAY = 1_000;
const RETRY_DELAY = 1_000;

/**
 * Counts in Redis, atomically, for all instances. While Redis cannot be used it answers nothing,
 * without delay but for one attempt a second, and says so once in the log.
 */
export class RedisCounts {
  private readonly logger = new Logger(RedisCounts.name);
  private readonly redis: Redis;
  private readonly limiters: Record<PolicyName, RateLimiterRedis>;
  private away = false;
  private nextAttempt = 0;
  private closing = false;

  constructor(url: string, keyPrefix: string, policies: Record<PolicyName, Policy>) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT,
      commandTimeout: COMMAND_TIMEOUT,
      socketTimeout: SILENCE_TIMEOUT,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_DELAY),
    });
    // Told of by the closing of the connection, or by the command that fails.
    this.redis.on('error', () => undefined);
    this.redis.on('close', () => {
      this.setAway(true);
    });
    this.redis.on('ready', () => {
      this.setAway(false);
    });
    const limiter = ({ name, quota, window }: Policy) =>
      new RateLimiterRedis({
        storeClient: this.redis,
        keyPrefix: `${keyPrefix}:${name}`,
        points: quota,
        duration: window,
        rejectIfRedisNotReady: true,
      });
    this.limiters = {
      address: limiter(policies.address),
      registrations: limiter(policies.registrations),
      logins: limiter(policies.logins),
      'bad-credentials': limiter(policies['bad-credentials']),
      key: limiter(policies.key),
    };
  }

  /** Connects, or leaves that to later attempts where Redis does not answer. */
  async open(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CONNECT_TIMEOUT);
    });
    await Promise.race([this.redis.connect().catch(() => undefined), timeout]);
    clearTimeout(timer);
    this.setAway(this.redis.status !== 'ready');
  }

  close(): void {
    this.closing = true;
    this.redis.disconnect();
  }

  /** Counts one more; `undefined` where Redis cannot be used. */
  async count(policy: PolicyName, client: string): Promise<RateLimiterRes | undefined> {
    if (this.away) {
      const now = Date.now();
      if (now < this.nextAttempt || this.redis.status !== 'ready') {
        return undefined;
      }
      this.nextAttempt = now + RETRY_DELAY;
    }
    try {
      const result = await this.limiters[policy].consume(client);
      this.setAway(false);
      return result;
    } catch (error) {
      const counted = error instanceof RateLimiterRes;
      this.setAway(!counted);
      return counted ? error : undefined;
    }
  }

  private setAway(away: boolean): void {
    if (this.away === away || this.closing) {
      return;
    }
    this.away = away;
    this.nextAttempt = Date.now() + RETRY_DELAY;
    if (away) {
      this.logger.warn('Redis does not answer: this process counts for itself until it does');
    } else {
      this.logger.warn('Redis answers again: all processes count together');
    }
  }
}
