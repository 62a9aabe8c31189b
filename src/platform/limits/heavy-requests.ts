import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../protocol/add-route-config';
import { ApiError, clientGone, retryLater } from '../protocol/api-error';
import { HeavyWork } from './heavy-work';
import { stringifyInTurns } from './json-pieces';

/** Lets a request run, or ends it with a refusal. */
type Run = (refusal?: ApiError) => void;

/** Lets heavy requests run when it is the turn of their caller. */
export class HeavyRequests {
  /** What ends the turn of each request that has one. */
  private readonly running = new Map<ServerResponse, () => void>();

  constructor(private readonly work: HeavyWork) {}

  /**
   * Runs a request when it is its turn, or ends it if its client disconnects before.
   *
   * @returns a refusal if its client has gone, or too many requests of the caller wait
   */
  admit(caller: string, response: ServerResponse, run: Run): ApiError | undefined {
    if (response.destroyed) {
      return clientGone();
    }
    if (this.work.isFull(caller)) {
      return retryLater(
        'rate_limited',
        'Too many requests to this endpoint are in progress. Try again shortly.',
      );
    }
    const leave = this.work.enter(caller, (end) => {
      this.running.set(response, end);
      run();
    });
    if (!this.running.has(response)) {
      response.once('close', () => {
        if (leave()) {
          run(clientGone());
        }
      });
    }
    return undefined;
  }

  /** Passes the turn of a request on, if it has one. */
  finish(response: ServerResponse): void {
    const end = this.running.get(response);
    this.running.delete(response);
    end?.();
  }
}

/** A route that can take long: {@link HeavyWork} limits how many of its requests run at once. */
export function Heavy(): MethodDecorator {
  return AddRouteConfig({ heavy: true });
}

/** Queues the requests of heavy routes. */
export function queueHeavyRequests(
  fastify: FastifyInstance,
  callerOf: (request: FastifyRequest) => string,
  work = new HeavyWork(),
): void {
  const requests = new HeavyRequests(work);
  fastify.addHook('preHandler', (request, { raw: response }, done) => {
    const { heavy = false } = request.routeOptions.config;
    if (!heavy) {
      done();
      return;
    }
    // Another request lets this one run: without a binding, in the context of that request, with
    // its Idempotency-Key.
    const run = AsyncResource.bind((refused?: ApiError) => {
      done(refused);
    });
    const refusal = requests.admit(callerOf(request), response, run);
    if (refusal !== undefined) {
      done(refusal);
    }
  });
  // To write some megabytes of JSON takes longer than others should wait.
  fastify.addHook('preSerialization', async ({ routeOptions }, reply, payload: unknown) => {
    if (routeOptions.config.heavy === true) {
      const text = await stringifyInTurns(payload);
      reply.serializer(() => text);
    }
    return payload;
  });
  // Runs after the last statement, whether or not the client still waits. A route that responds as
  // if it did not exist has another configuration by then.
  fastify.addHook('onSend', (_, { raw: response }, payload, done) => {
    requests.finish(response);
    done(null, payload);
  });
}
