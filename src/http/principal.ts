import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ErrorCode } from './error-codes';

/** Who a request comes from, as its guard found out. */
export interface Principal {
  companyId: string;
  /** The API key used; absent where the account's own token was. */
  keyId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal?: Principal;
    /** The code of the error this request was answered with, for its log line. */
    errorCode?: ErrorCode;
  }
}

/** Handler parameter: who a guarded request comes from. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (principal === undefined) {
    throw new Error('@Caller() used on a route without a guard');
  }
  return principal;
});

/** By what name a caller's changes are written down. */
export function actorOf({ companyId, keyId }: Principal): string {
  return keyId ?? companyId;
}
