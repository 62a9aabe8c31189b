import { HTTPMethods, FastifyInstance } from 'fastify';
import { ApiError } from './api-error';

const METHODS: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
];

/**
 * Keeps the methods of every path, so that a wrong method on a known path can be told from an
 * unknown path.
 *
 * @returns a function that, once all routes are known, makes the wrong methods answer 405
 */
export function trackMethods(fastify: FastifyInstance): () => void {
  const methodsByPath = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    // Preflights, where pages of other origins are let in: no path of ours.
    if (url === '*') {
      return;
    }
    const methods = methodsByPath.get(url) ?? new Set();
    methodsByPath.set(url, methods);
    for (const each of Array.isArray(method) ? method : [method]) {
      methods.add(each);
    }
  });
  return () => {
    for (const [url, methods] of [...methodsByPath]) {
      const allow = [...methods].join(', ');
      fastify.route({
        url,
        method: METHODS.filter((method) => !methods.has(method)),
        exposeHeadRoute: false,
        config: { refusesMethod: true },
        // Before the body is read: what is wrong with it is beside the point.
        onRequest: (_request, _reply, done) => {
          done(new ApiError('method_not_allowed', `This path takes ${allow} only.`, [], { allow }));
        },
        handler: () => undefined,
      });
    }
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that only says that its method is not for this path. */
    refusesMethod?: boolean;
  }
}
