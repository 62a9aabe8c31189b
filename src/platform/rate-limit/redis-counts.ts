import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { reportRedisAway } from '../metrics/metrics.registry';
import type { Count } from './local-counts';
import type { Policy, PolicyName } from './policies';

/** Timeouts of an attempt to connect and of a command, in milliseconds. */
const CONNECT_TIMEOUT = 2_000;
const COMMAND_TIMEOUT = 500;

/** Milliseconds without a response after which the connection is replaced. */
const SILENCE_TIMEOUT = 5_000;

/** Maximum milliseconds between two attempts to connect; milliseconds between two to count. */
const RECONNECT_DELAY = 1_000;
const RETRY_DELAY = 1_000;

/**
 * Counts in Redis, atomically, for all instances. While Redis is unreachable, counting returns
 * `undefined` at once, apart from one attempt per second. The log reports this once.
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
      // After a failover, this server may be a replica for ever; the name leads to the new primary.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
      retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_DELAY),
    });
    // The close event or the failed command reports the error. Without a listener, ioredis prints
    // it.
    this.redis.on('error', () => undefined);
    this.redis.on('close', () => {
      this.setAway(true);
    });
    const limiter = ({ name, quota, window }: Policy) =>
      new RateLimiterRedis({
        storeClient: this.redis,
        keyPrefix: `${keyPrefix}:${name}`,
        points: quota,
        duration: window,
        rejectIfRedisNotReady: true,
      });
    this.limiters = Object.fromEntries(
      Object.values(policies).map((policy) => [policy.name, limiter(policy)]),
    ) as Record<PolicyName, RateLimiterRedis>;
  }

  /** Connects; if Redis does not respond in time, later attempts do. */
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

  /** Increments a count; returns `undefined` while Redis is unreachable. */
  async count({ name }: Policy, client: string): Promise<Count | undefined> {
    if (this.away) {
      const now = performance.now();
      if (now < this.nextAttempt || this.redis.status !== 'ready') {
        return undefined;
      }
      this.nextAttempt = now + RETRY_DELAY;
    }
    try {
      const result = await this.limiters[name].consume(client);
      this.setAway(false);
      return toCount(result);
    } catch (error) {
      const counted = error instanceof RateLimiterRes;
      this.setAway(!counted);
      return counted ? toCount(error) : undefined;
    }
  }

  private setAway(away: boolean): void {
    if (this.away === away || this.closing) {
      return;
    }
    this.away = away;
    reportRedisAway(away ? 1 : 0);
    this.nextAttempt = performance.now() + RETRY_DELAY;
    if (away) {
      this.logger.warn(
        'Redis is unreachable: this process counts requests for itself until it is back',
      );
    } else {
      this.logger.warn('Redis is back: all processes count requests together');
    }
  }
}

function toCount({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, resetIn: msBeforeNext };
}
