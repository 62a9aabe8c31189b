import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AddRouteConfig } from './add-route-config';
import { ApiError, clientGone, retryLater } from './api-error';

/** Maximum number of heavy requests of one caller that run at once, and that wait for a turn. */
const AT_ONCE = 2;
const WAITING = 20;

interface Queue {
  caller: string;
  running: number;
  /** What lets each waiting request run, by its response, in the order of arrival. */
  waiting: Map<ServerResponse, Run>;
}

/** Lets a request run, or ends it with a refusal. */
type Run = (refusal?: ApiError) => void;

/** Limits how many database connections the heavy requests of one caller use at once. */
export class HeavyRequests {
  private readonly queues = new Map<string, Queue>();
  private readonly running = new Map<ServerResponse, Queue>();

  /**
   * Runs a request when it is its turn, or ends it if its client disconnects before.
   *
   * @returns a refusal if its client has gone, or too many requests of the caller wait
   */
  admit(caller: string, response: ServerResponse, run: Run): ApiError | undefined {
    if (response.destroyed) {
      return clientGone();
    }
    const queue = this.queues.get(caller) ?? { caller, running: 0, waiting: new Map() };
    this.queues.set(caller, queue);
    if (queue.running < AT_ONCE) {
      queue.running += 1;
      this.running.set(response, queue);
      run();
    } else if (queue.waiting.size < WAITING) {
      queue.waiting.set(response, run);
      response.once('close', () => {
        if (queue.waiting.delete(response)) {
          run(clientGone());
        }
      });
    } else {
      return retryLater(
        'rate_limited',
        'Too many of these requests of yours are in progress. Try again shortly.',
      );
    }
    return undefined;
  }

  /** Passes the turn of a request on, if it has one. */
  finish(response: ServerResponse): void {
    const queue = this.running.get(response);
    if (queue === undefined) {
      return;
    }
    this.running.delete(response);
    for (const [next, run] of queue.waiting) {
      queue.waiting.delete(next);
      this.running.set(next, queue);
      run();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) {
      this.queues.delete(queue.caller);
    }
  }
}

/** A route that can take long: a caller has a few requests of them at once, the others wait. */
export function Heavy(): MethodDecorator {
  return AddRouteConfig({ heavy: true });
}

/** Queues the requests of heavy routes. */
export function queueHeavyRequests(
  fastify: FastifyInstance,
  callerOf: (request: FastifyRequest) => string,
): void {
  const requests = new HeavyRequests();
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
  // Runs after the last statement, whether or not the client still waits. A route that responds as
  // if it did not exist has another configuration by then.
  fastify.addHook('onSend', (_, { raw: response }, payload, done) => {
    requests.finish(response);
    done(null, payload);
  });
}
