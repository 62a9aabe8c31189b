import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The caller of a request, according to its credential. */
export interface Principal {
  /**
   * The company; for a test key, the company's test environment. A platform has no company: this is
   * its key_id then, which no row has as its company.
   */
  companyId: string;
  /** The key used; absent if the account's token was used. */
  keyId?: string;
  /** The name of the platform; absent if the caller is a company. */
  platform?: string;
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

/** The identifier that records who made a change: the key_id, or the company_id for the account. */
export function actorOf({ companyId, keyId }: Principal): string {
  return keyId ?? companyId;
}
