import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ApiError } from './api-error';

/** The route of preflights if CORS is on. It is not a path of the service. */
const PREFLIGHTS = '*';

interface DeclaredPath {
  /** The parts of a pattern of Fastify, such as `/svc/campaign/:post_id`. */
  expected: readonly string[];
  methods: Set<string>;
}

function matches(expected: readonly string[], parts: readonly string[]): boolean {
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
  const declared = new Map<string, DeclaredPath>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url !== PREFLIGHTS) {
      const methods = declared.get(url)?.methods ?? [];
      declared.set(url, {
        expected: url.split('/'),
        methods: new Set([...methods, ...[method].flat()]),
      });
    }
  });
  const methodsOf = (path: string) => {
    const parts = path.split('/');
    return (
      declared.get(path) ?? [...declared.values()].find(({ expected }) => matches(expected, parts))
    )?.methods;
  };

  return ({ is404, routeOptions, url }, _reply, done) => {
    const pattern = is404 ? undefined : routeOptions.url;
    if (pattern !== undefined && pattern !== PREFLIGHTS) {
      // `GET /svc/campaign/update` is not a campaign with this name.
      const isOther = pattern.includes('/:') && declared.has(pathOf(url));
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
