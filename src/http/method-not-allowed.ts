import { METHODS } from 'node:http';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ApiError } from './api-error';

/** CONNECT requests a tunnel to a host; Node passes it to no route. */
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** The route of preflights if CORS is on. It is not a path of the service. */
const PREFLIGHTS = '*';

/**
 * Records the methods of every path, so that a wrong method on a known path gets 405 instead of
 * 404.
 *
 * @returns a function to call once all routes are declared; it adds the routes that respond with
 *   405
 */
export function trackMethods(fastify: FastifyInstance): () => void {
  const methodsByPath = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url === PREFLIGHTS) {
      return;
    }
    const methods = methodsByPath.get(url) ?? new Set();
    methodsByPath.set(url, methods);
    for (const each of Array.isArray(method) ? method : [method]) {
      methods.add(each);
    }
  });
  return () => {
    for (const method of KNOWN_METHODS) {
      if (!fastify.supportedMethods.includes(method)) {
        fastify.addHttpMethod(method);
      }
    }
    for (const [url, methods] of [...methodsByPath]) {
      const allow = [...methods].join(', ');
      fastify.route({
        url,
        method: KNOWN_METHODS.filter((method) => !methods.has(method)),
        exposeHeadRoute: false,
        config: { refusesMethod: true },
        // Runs before the body is read, so an invalid body makes no difference.
        onRequest: (_request, _reply, done) => {
          done(new ApiError('method_not_allowed', `This path takes ${allow} only.`, [], { allow }));
        },
        handler: () => undefined,
      });
    }
  };
}

/** Refuses a request for a path that no route has. */
export const refuseUnknownPaths: onRequestHookHandler = (request, _reply, done) => {
  const isUnknown = request.is404 || request.routeOptions.url === PREFLIGHTS;
  done(isUnknown ? new ApiError('route_not_found', 'There is no such route.') : undefined);
};
