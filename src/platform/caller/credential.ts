import { applyDecorators, CanActivate, ExecutionContext, Type, UseGuards } from '@nestjs/common';
import type {
  FastifyContextConfig,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import { ApiError } from '../protocol/api-error';
import type { Principal } from './principal';
import { AddRouteConfig } from '../protocol/add-route-config';

/**
 * A guard for one kind of credential. The pipeline calls `authenticate` with the headers, before
 * the body is read. As the route's guard in Nest, it only verifies that this happened.
 */
export interface CredentialGuard extends CanActivate {
  /** @throws ApiError if the credential is missing or invalid */
  authenticate(request: FastifyRequest): Principal | Promise<Principal>;
}

/** Declares a route's credential and the scopes it must have, for the pipeline and for Nest. */
export function RequireCredential(
  guard: Type<CredentialGuard>,
  ...scopes: readonly string[]
): MethodDecorator {
  return applyDecorators(AddRouteConfig({ credential: guard, scopes }), UseGuards(guard));
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

/** Refuses a caller whose credential does not have all of the route's scopes. */
export const requireScopes: onRequestHookHandler = ({ principal, routeOptions }, _reply, done) => {
  done(scopeError(principal, routeOptions.config));
};

/**
 * What a {@link CredentialGuard} does as Nest's guard: it accepts a request only if the pipeline
 * authenticated it with this guard and for the route's scopes.
 */
export function wasAuthenticatedBy(
  guard: Type<CredentialGuard>,
  context: ExecutionContext,
): boolean {
  const { principal, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
  const { config } = routeOptions;
  if (config.credential !== guard || principal === undefined) {
    throw new Error(`the pipeline has not authenticated this request by ${guard.name}`);
  }
  refuseMissingScopes(principal, config);
  return true;
}

/** @throws ApiError `insufficient_scope` unless the caller has all of the route's scopes */
export function refuseMissingScopes(principal: Principal, config: FastifyContextConfig): void {
  const error = scopeError(principal, config);
  if (error !== undefined) {
    throw error;
  }
}

/**
 * Returns an error that names every scope that the caller lacks, or `undefined`. If its kind of key
 * cannot have them, the error says which kinds can.
 */
function scopeError(
  principal: Principal | undefined,
  { scopes = [], testKeyScope }: FastifyContextConfig,
): ApiError | undefined {
  const missing = scopes.filter((scope) => principal?.scopes?.includes(scope) !== true);
  if (missing.length === 0) {
    return undefined;
  }
  const named = `the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}`;
  const message =
    testKeyScope !== undefined
      ? `This route takes a platform key with ${named}, or a test key with the scope ${testKeyScope}.`
      : principal?.platform !== undefined
        ? `This route takes a company's API key with ${named}.`
        : `This API key does not have ${named}.`;
  return new ApiError('insufficient_scope', message);
}
