import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** A route served by Fastify, with parameters as in `/campaign/:post_id`. */
export interface ServedRoute {
  method: string;
  url: string;
}

/**
 * Records every route that is registered with Fastify while `work` runs. HEAD routes, which come
 * with GET, are left out.
 */
export async function recordRoutes<T>(
  work: () => Promise<T>,
): Promise<{ result: T; routes: ServedRoute[] }> {
  const routes: ServedRoute[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      const methods = [method].flat().filter((each) => each !== 'HEAD');
      routes.push(...methods.map((each) => ({ method: each, url })));
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return { result: await work(), routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
