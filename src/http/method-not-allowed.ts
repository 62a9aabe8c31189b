import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ApiError } from './api-error';

/** The route of preflights if CORS is on. It is not a path of the service. */
const PREFLIGHTS = '*';

/** Whether a pattern of Fastify, such as `/svc/campaign/:post_id`, matches a path. */
function matches(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const expected = pattern.split('/');
  return (
    parts.length === expected.length &&
    expected.every((part, n) => (part.startsWith(':') ? parts[n] !== '' : part === parts[n]))
  );
}

/** The decoded path of a request. Fastify has refused what cannot be decoded. */
const pathOf = (url: string) => decodeURI(url.replace(/[?#].*$/s, ''));

/**
 * Records the methods of every path as routes are declared.
 *
 * @returns a hook that refuses a request without a route: with 405 if its path has other methods,
 *   otherwise with 404. It runs before the body is read, so an invalid body makes no difference.
 */
export function refuseWithoutRoute(fastify: FastifyInstance): onRequestHookHandler {
  const methodsByPattern = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url !== PREFLIGHTS) {
      const methods = methodsByPattern.get(url) ?? new Set();
      methodsByPattern.set(url, new Set([...methods, ...[method].flat()]));
    }
  });
  const methodsOf = (path: string) =>
    methodsByPattern.get(path) ??
    [...methodsByPattern].find(([pattern]) => matches(pattern, path))?.[1];

  return ({ is404, routeOptions, url }, _reply, done) => {
    const pattern = is404 ? undefined : routeOptions.url;
    if (pattern !== undefined && pattern !== PREFLIGHTS) {
      // `GET /svc/campaign/update` is not a campaign with this name.
      const isOther = pattern.includes('/:') && methodsByPattern.has(pathOf(url));
      if (!isOther) {
        done();
        return;
      }
    }
    const methods = methodsOf(pathOf(url));
    if (methods === undefined) {
      done(new ApiError('route_not_found', 'There is no such route.'));
      return;
    }
    const allow = [...methods].join(', ');
    done(new ApiError('method_not_allowed', `This path takes ${allow} only.`, [], { allow }));
  };
}
