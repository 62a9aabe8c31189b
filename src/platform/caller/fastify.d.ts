import type { Type } from '@nestjs/common';
import type { ApiError } from '../protocol/api-error';
import type { CredentialGuard } from './credential';
import type { ErrorCode } from '../protocol/error-codes';
import type { Principal } from './principal';

/*
 * The service's additions to Fastify's types.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once its credential is checked. */
    principal?: Principal;
    /** Whether its account token is genuine but has expired. */
    hasExpiredToken?: true;
    /** The code of the error in the response, or of the fault that cut it off. */
    errorCode?: ErrorCode;
    /** Why the database could not serve it, in one line: there is no stack of such an error. */
    errorCause?: string;
    /** Milliseconds for which its body was read, until it was complete or refused. */
    bodyTime?: number;
    /** Milliseconds after which there was a response to it. */
    readyAfter?: number;
    /** Whether it is a preflight of an allowed origin; set by `@fastify/cors`. */
    corsPreflightEnabled?: boolean;
    /** Ends its turn of what it waits for: its company's connections, or heavy work. */
    endTurn?: (() => void) | undefined;
    /** The limits that the request was counted against so far, for the headers of its response. */
    rateLimits?: { limits: string[]; policies: string[] };
  }

  /** The configuration of a route, which hooks read; set by `AddRouteConfig`. */
  interface FastifyContextConfig {
    /** Checks the caller's credential; absent if the route needs none. */
    credential?: Type<CredentialGuard>;
    /** The scopes that the credential must have, all of them. */
    scopes?: readonly string[];
    /** Whether only a few requests of a caller run at once. */
    heavy?: boolean;
    /** Whether it waits for something else than the database. */
    outsideShares?: boolean;
    /** The scope with which a company's test key may act as a platform. */
    testKeyScope?: string;
    /** Maximum length of the body in bytes; by default, that of `body-limit.ts`. */
    bodyLimit?: number;
    /** Whether it takes the fields of an HTML form, which `URLSearchParams` holds. */
    takesForm?: boolean;
    /** The route's own limit by address, besides the general one; `false` turns off both. */
    addressLimit?: string | false;
    /** Writes a page in place of the envelope of an error, on routes that people open. */
    errorPage?: (
      error: ApiError,
      requestId: string,
    ) => { headers: Readonly<Record<string, string>>; text: string };
  }
}
