import { applyDecorators, CanActivate, ExecutionContext, Type, UseGuards } from '@nestjs/common';
import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { ApiError } from './api-error';
import type { Principal } from './principal';
import { AddRouteConfig } from './add-route-config';

/**
 * A guard for one kind of credential. The pipeline calls `authenticate` with the headers, before
 * the body is read. As the route's guard in Nest, it only verifies that this happened.
 */
export interface CredentialGuard extends CanActivate {
  /** @throws ApiError if the credential is missing or invalid */
  authenticate(request: FastifyRequest): Principal | Promise<Principal>;
}

/** Declares a route's credential and scope, for the pipeline and for Nest. */
export function RequireCredential(guard: Type<CredentialGuard>, scope?: string): MethodDecorator {
  return applyDecorators(AddRouteConfig({ credential: guard, scope }), UseGuards(guard));
}

/** Authenticates the caller on the routes that need a credential. */
export function authenticateCallers(
  findGuard: (type: Type<CredentialGuard>) => CredentialGuard,
): onRequestAsyncHookHandler {
  const guards = new Map<Type<CredentialGuard>, CredentialGuard>();
  return async (request) => {
    const { credential } = request.routeOptions.config;
    if (credential === undefined) {
      return;
    }
    let guard = guards.get(credential);
    if (guard === undefined) {
      guard = findGuard(credential);
      guards.set(credential, guard);
    }
    request.principal = await guard.authenticate(request);
  };
}

/** Refuses a caller whose credential does not have the route's scope. */
export const requireScopes: onRequestHookHandler = (request, _reply, done) => {
  const { scope } = request.routeOptions.config;
  done(hasScope(request.principal, scope) ? undefined : insufficientScope(scope));
};

/**
 * What a {@link CredentialGuard} does as Nest's guard: it accepts a request only if the pipeline
 * authenticated it with this guard and for the route's scope.
 */
export function wasAuthenticatedBy(
  guard: Type<CredentialGuard>,
  context: ExecutionContext,
): boolean {
  const { principal, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
  const { credential, scope } = routeOptions.config;
  if (credential !== guard || principal === undefined) {
    throw new Error(`the pipeline has not authenticated this request by ${guard.name}`);
  }
  if (!hasScope(principal, scope)) {
    throw insufficientScope(scope);
  }
  return true;
}

function hasScope(principal: Principal | undefined, scope: string | undefined): boolean {
  return scope === undefined || principal?.scopes?.includes(scope) === true;
}

function insufficientScope(scope = ''): ApiError {
  return new ApiError('insufficient_scope', `This API key does not have the scope ${scope}.`);
}
