import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Mode, modeOf, printEnvironment } from './environment.rules';
import type { StoredId } from '../database/identifiers';

/** The caller of a request, according to its credential. */
export interface Principal {
  /**
   * The company; for a test key, the company's test environment; for a platform, its key_id, which
   * no row has as its company.
   */
  callerId: StoredId;
  /** The company or its test environment, as clients see it; absent for a platform. */
  company?: string;
  /** The key used; absent if the account's token was used. */
  keyId?: string;
  /** The name of the platform; absent if the caller is a company. */
  platform?: string;
  /** The currency of the company of a key (ISO 4217); absent for a platform and for an account. */
  currency?: string;
  /** What the key may do. */
  scopes?: readonly string[];
}

/** Handler parameter: the caller of a guarded request. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (principal === undefined) {
    throw new Error('@Caller() used on a route without a guard');
  }
  return principal;
});

/** The mode of a request's key, for metrics and traces; `none` without a key. */
export type CallerMode = Mode | 'platform' | 'none';

export function callerMode(principal: Principal | undefined): CallerMode {
  if (principal?.keyId === undefined) {
    return 'none';
  }
  return principal.platform === undefined ? modeOf(principal.callerId) : 'platform';
}

/** The currency of the company whose API key the caller has. */
export function currencyOf({ currency }: Principal): string {
  if (currency === undefined) {
    throw new Error('the caller of this route has no API key of a company');
  }
  return currency;
}

/**
 * Whether the caller may read responses. What a guardrail measured is shown to no one else, because
 * it can be the score, the cost or the time of a single response.
 */
export function readsResponses({ scopes = [] }: Principal): boolean {
  return scopes.includes('responses:read');
}

/** The identifier that records who made a change: the key_id, or the company_id for the account. */
export function actorOf({ callerId, keyId }: Principal): string {
  return keyId ?? printEnvironment(callerId);
}
