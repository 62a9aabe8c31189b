import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Env } from '../config/env';
import { ApiError } from '../protocol/api-error';
import { ErrorCode } from '../protocol/error-codes';
import { countLimitedRequest } from '../metrics/metrics.registry';
import { clientAddress } from './client-address';
import { Count, LocalCounts } from './local-counts';
import { AddressPolicy, policiesOf, Policy, PolicyName } from './policies';
import type { RedisCounts } from './redis-counts';
import { actorOf } from '../caller/principal';

/**
 * Errors that refuse a credential, which may have been a guess. An expired or revoked one was
 * genuine: a forgotten program that still uses it must not block its neighbours behind the same
 * address.
 */
const BAD_CREDENTIALS: ReadonlySet<ErrorCode | undefined> = new Set([
  'api_key_invalid',
  'token_invalid',
  'invalid_credentials',
]);

const MAX_BLOCKED = 10_000;

/**
 * Counts requests against the configured limits: in Redis if it is configured and reachable,
 * otherwise in this process.
 */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  readonly enabled: boolean;
  private readonly policies: Record<PolicyName, Policy>;
  private readonly local = new LocalCounts();
  private shared: RedisCounts | undefined;
  /** Addresses with too many bad credentials, and when `performance.now()` ends their block. */
  private readonly blocked = new LRUCache<string, number>({ max: MAX_BLOCKED });

  constructor(private readonly env: Env) {
    this.enabled = env.RATE_LIMIT_ENABLED;
    this.policies = policiesOf(env);
  }

  async onModuleInit(): Promise<void> {
    const { REDIS_URL, REDIS_KEY_PREFIX } = this.env;
    if (this.enabled && REDIS_URL !== undefined) {
      // Without Redis, a start need not load its libraries.
      const { RedisCounts } = await import('./redis-counts');
      this.shared = new RedisCounts(REDIS_URL, REDIS_KEY_PREFIX, this.policies);
      await this.shared.open();
    }
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }

  /**
   * Counts a request against its address: the general limit and the limit of its route.
   *
   * @throws ApiError `rate_limited`
   */
  async admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { addressLimit } = request.routeOptions.config;
    if (addressLimit === false) {
      return;
    }
    const address = clientAddress(request);
    const blockedFor = (this.blocked.get(address) ?? 0) - performance.now();
    if (blockedFor > 0) {
      tell(request, reply, this.policies['bad-credentials'], 0, blockedFor);
      countLimitedRequest({ policy: 'bad-credentials' });
      throw tooMany('Too many rejected credentials from your address.', blockedFor);
    }
    if (addressLimit !== 'platform-address') {
      await this.admit(request, reply, 'address', address);
    }
    if (addressLimit !== undefined) {
      await this.admit(request, reply, addressLimit as AddressPolicy, address);
    }
  }

  /**
   * Counts a request against its key, or against its company for an account token. On a platform
   * route, the general limit by address applies to a company as well.
   *
   * @throws ApiError `rate_limited`
   */
  async admitCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { principal } = request;
    if (principal === undefined) {
      return;
    }
    const isPlatform = principal.platform !== undefined;
    if (!isPlatform && request.routeOptions.config.addressLimit === 'platform-address') {
      await this.admit(request, reply, 'address', clientAddress(request));
    }
    await this.admit(request, reply, isPlatform ? 'platform' : 'key', actorOf(principal));
  }

  /**
   * Counts a refused credential against its address. Until the window ends, an address over the
   * limit is blocked before its credentials are checked.
   */
  async noteRefusal(request: FastifyRequest): Promise<void> {
    if (!BAD_CREDENTIALS.has(request.errorCode) || request.hasExpiredToken === true) {
      return;
    }
    const address = clientAddress(request);
    const policy = this.policies['bad-credentials'];
    const { used, resetIn } = await this.count(policy, address);
    if (used >= policy.quota) {
      this.blocked.set(address, performance.now() + resetIn);
    }
  }

  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    name: PolicyName,
    client: string,
  ): Promise<void> {
    const policy = this.policies[name];
    const { used, resetIn } = await this.count(policy, client);
    tell(request, reply, policy, Math.max(0, policy.quota - used), resetIn);
    if (used > policy.quota) {
      countLimitedRequest({ policy: name });
      throw tooMany(
        `Too many requests: the limit "${name}" is ${policy.quota} requests in ${policy.window} seconds.`,
        resetIn,
      );
    }
  }

  private async count(policy: Policy, client: string): Promise<Count> {
    return (await this.shared?.count(policy, client)) ?? this.local.count(policy, client);
  }
}

/**
 * Returns whole seconds, at least 1, rounded up so that a client never retries too early.
 * Differences of the clock carry a rounding error, which must not add a second.
 */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(Math.round(milliseconds) / 1000));
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers-10. */
function tell(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, quota, window }: Policy,
  remaining: number,
  reset: number,
): void {
  const told = (request.rateLimits ??= { limits: [], policies: [] });
  told.limits.push(`"${name}";r=${remaining};t=${seconds(reset)}`);
  told.policies.push(`"${name}";q=${quota};w=${window}`);
  void reply.header('ratelimit', told.limits.join(', '));
  void reply.header('ratelimit-policy', told.policies.join(', '));
}

function tooMany(message: string, milliseconds: number): ApiError {
  return new ApiError('rate_limited', `${message} Try again later.`, [], {
    'retry-after': String(seconds(milliseconds)),
  });
}
