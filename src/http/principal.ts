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

/** Handler parameter: the company a guarded request comes from. */
export const CompanyId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (principal === undefined) {
    throw new Error('@CompanyId() used on a route without a guard');
  }
  return principal.companyId;
});
