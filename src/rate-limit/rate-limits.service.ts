import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Env } from '../config/env';
import { ApiError } from '../http/api-error';
import { ErrorCode } from '../http/error-codes';
import { countLimitedRequest } from '../metrics/metrics';
import { clientAddress } from './client-address';
import { policiesOf, Policy, PolicyName } from './policies';
import { RedisCounts } from './redis-counts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The limits a request was counted against so far, as its answer's headers tell them. */
    rateLimits?: { limits: string[]; policies: string[] };
  }
}

/** Refusals of a credential that may have been guessed. */
const BAD_CREDENTIALS: ReadonlySet<ErrorCode | undefined> = new Set([
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'token_invalid',
  'invalid_credentials',
]);

const MAX_BLOCKED = 10_000;

/**
 * Counts requests against the limits of the configuration: in Redis where there is one, in this
 * process otherwise and while Redis cannot be used.
 */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  readonly enabled: boolean;
  private readonly policies: Record<PolicyName, Policy>;
  private readonly local = new Map<PolicyName, RateLimiterMemory>();
  private readonly shared: RedisCounts | undefined;
  /** Addresses that have sent too many bad credentials, with the time until which, in ms. */
  private readonly blocked = new LRUCache<string, number>({ max: MAX_BLOCKED });

  constructor(env: Env) {
    this.enabled = env.RATE_LIMIT_ENABLED;
    this.policies = policiesOf(env);
    if (this.enabled && env.REDIS_URL !== undefined) {
      this.shared = new RedisCounts(env.REDIS_URL, env.REDIS_KEY_PREFIX, this.policies);
    }
  }

  async onModuleInit(): Promise<void> {
    await this.shared?.open();
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }

  /**
   * Counts a request against its sender's address, before anything else is known of it.
   *
   * @throws ApiError `rate_limited`
   */
  async admitAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    policy: 'address' | 'registrations' | 'logins' = 'address',
  ): Promise<void> {
    if (!this.enabled) {
      return;
    }
    const address = clientAddress(request);
    const blockedUntil = this.blocked.get(address) ?? 0;
    const blockedFor = blockedUntil - Date.now();
    if (blockedFor > 0) {
      tell(request, reply, this.policies['bad-credentials'], 0, blockedFor);
      countLimitedRequest('bad-credentials');
      throw tooMany('Too many refused credentials came from your address.', blockedFor);
    }
    await this.admit(request, reply, policy, address);
  }

  /**
   * Counts a request against its API key, or its company where it came with an account token.
   *
   * @throws ApiError `rate_limited`
   */
  async admitCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { principal } = request;
    if (this.enabled && principal !== undefined) {
      await this.admit(request, reply, 'key', principal.keyId ?? principal.companyId);
    }
  }

  /**
   * Counts a refused credential against its sender's address. Once there are too many, the address
   * is refused until the window is over, before its credentials are looked at.
   */
  async noteRefusal(request: FastifyRequest): Promise<void> {
    if (!BAD_CREDENTIALS.has(request.errorCode)) {
      return;
    }
    const address = clientAddress(request);
    const { remainingPoints, msBeforeNext } = await this.count('bad-credentials', address);
    if (remainingPoints <= 0) {
      this.blocked.set(address, Date.now() + msBeforeNext);
    }
  }

  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    name: PolicyName,
    client: string,
  ): Promise<void> {
    const policy = this.policies[name];
    const { consumedPoints, msBeforeNext } = await this.count(name, client);
    tell(request, reply, policy, Math.max(0, policy.quota - consumedPoints), msBeforeNext);
    if (consumedPoints > policy.quota) {
      countLimitedRequest(name);
      throw tooMany(
        `Too many requests: the limit "${name}" is ${policy.quota} in ${policy.window} seconds.`,
        msBeforeNext,
      );
    }
  }

  private async count(name: PolicyName, client: string): Promise<RateLimiterRes> {
    return (await this.shared?.count(name, client)) ?? (await this.countHere(name, client));
  }

  private async countHere(name: PolicyName, client: string): Promise<RateLimiterRes> {
    const { quota, window } = this.policies[name];
    let limiter = this.local.get(name);
    if (limiter === undefined) {
      limiter = new RateLimiterMemory({ keyPrefix: name, points: quota, duration: window });
      this.local.set(name, limiter);
    }
    try {
      return await limiter.consume(client);
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        return error;
      }
      throw error;
    }
  }
}

/** Whole seconds, never 0: a client that waits that long is past the moment. */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
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
