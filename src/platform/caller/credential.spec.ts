import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CredentialGuard, wasAuthenticatedBy } from './credential';
import type { Principal } from './principal';
import { FIRST_STORED_ID } from '../database/identifiers';

const callerId = FIRST_STORED_ID;

class SomeGuard implements CredentialGuard {
  authenticate(): Principal {
    return { callerId };
  }

  canActivate(context: ExecutionContext): boolean {
    return wasAuthenticatedBy(SomeGuard, context);
  }
}

class OtherGuard extends SomeGuard {}

/** The execution context that Nest gives a guard, for a request as the pipeline left it. */
function contextOf(config: object, principal?: Principal): ExecutionContext {
  const request = { principal, routeOptions: { config } } as unknown as FastifyRequest;
  return { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
}

describe('a credential guard', () => {
  const guard = new SomeGuard();
  const principal = { callerId, scopes: ['read'] };

  it('accepts a request that the pipeline authenticated for its route', () => {
    const config = { credential: SomeGuard, scopes: ['read'] };
    expect(guard.canActivate(contextOf(config, principal))).toBe(true);
    expect(guard.canActivate(contextOf({ credential: SomeGuard }, { callerId }))).toBe(true);
  });

  it('fails if the pipeline did not authenticate the caller, or used another credential', () => {
    const message = /has not authenticated this request by SomeGuard/;
    expect(() => guard.canActivate(contextOf({ credential: SomeGuard }))).toThrow(message);
    expect(() => guard.canActivate(contextOf({}, principal))).toThrow(message);
    expect(() => guard.canActivate(contextOf({ credential: OtherGuard }, principal))).toThrow(
      message,
    );
  });

  it.each([
    [undefined, 'scopes read and write'],
    [[], 'scopes read and write'],
    [['reader'], 'scopes read and write'],
    [['write'], 'scope read'],
    [['read'], 'scope write'],
  ])('refuses the scopes %j, and names what is missing', (scopes, missing) => {
    const config = { credential: SomeGuard, scopes: ['read', 'write'] };
    expect(() => guard.canActivate(contextOf(config, { callerId, scopes }))).toThrow(
      expect.objectContaining({
        code: 'insufficient_scope',
        message: `This API key does not have the ${missing}.`,
      }),
    );
  });
});
