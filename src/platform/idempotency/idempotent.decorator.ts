import { AsyncLocalStorage } from 'node:async_hooks';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { CanFailWith } from '../openapi/responds-with';
import type { IdempotentRunner } from './idempotent-runner';
import type { Phases } from './phases.types';

/** Metadata key of idempotent handlers. */
export const IDEMPOTENT = 'idempotent';

type Method = TypedPropertyDescriptor<(...args: unknown[]) => unknown>;
type AnyPhases = Phases<unknown, unknown, unknown>;

/** Runs phases once. It is there only while a request with an `Idempotency-Key` is handled. */
const runOnce = new AsyncLocalStorage<(phases: AnyPhases) => Promise<unknown>>();

/** Makes a request's `Idempotency-Key` available to idempotent handlers. */
export function acceptIdempotencyKeys(fastify: FastifyInstance, runner: IdempotentRunner): void {
  // An earlier hook would lose the context while the body is read.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.headers['idempotency-key'] === undefined) {
      done();
    } else {
      runOnce.run((phases) => runner.run(request, reply, phases), done);
    }
  });
}

/**
 * A route that can be repeated with the same `Idempotency-Key`: its behaviour and its
 * documentation. Every route that changes something has this decorator or {@link
 * IdempotentInPhases}.
 *
 * The handler is wrapped, not intercepted: an interceptor runs before the pipes, so the body would
 * be validated in the transaction of the record.
 */
export function Idempotent(): MethodDecorator {
  return idempotent((handle) => ({
    work: () => Promise.resolve(handle()),
    respond: (result: unknown) => result,
  }));
}

/**
 * Like {@link Idempotent}, for a handler that returns {@link Phases}: one whose work is slow, or
 * whose response must not be stored or is large.
 */
export function IdempotentInPhases(): MethodDecorator {
  return idempotent((handle) => handle() as AnyPhases);
}

async function runThrough({ prepare, work, respond }: AnyPhases): Promise<unknown> {
  return respond(await work(await prepare?.()));
}

/** Like {@link IdempotentInPhases}, for a decorator that knows the phases of a handler's call. */
export function idempotentBy(
  phasesOf: (controller: unknown, args: unknown[]) => AnyPhases,
): MethodDecorator {
  return idempotent((_handle, controller, args) => phasesOf(controller, args));
}

type PhasesOf = (handle: () => unknown, controller: unknown, args: unknown[]) => AnyPhases;

/** Runs phases, and the work that they have instead of what is refused. */
function runWith(run: typeof runThrough, phases: AnyPhases): Promise<unknown> {
  const { instead } = phases;
  return instead === undefined
    ? run(phases)
    : run(phases).catch((error: unknown) => {
        const other = instead(error);
        if (other === undefined) {
          throw error;
        }
        return run(other);
      });
}

function idempotent(phasesOf: PhasesOf): MethodDecorator {
  return applyDecorators(
    wrapHandler(phasesOf) as MethodDecorator,
    SetMetadata(IDEMPOTENT, true),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes the request safe to retry: for 24 hours, the same key returns the first outcome, with `Idempotency-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
    CanFailWith('idempotency_in_progress', 'idempotency_key_reused'),
  );
}

/** Replaces a handler with one that runs its phases, keeping its name and metadata. */
function wrapHandler(phasesOf: PhasesOf) {
  return (_controller: object, _name: string | symbol, descriptor: Method): void => {
    const handler = descriptor.value;
    if (handler === undefined) {
      throw new Error('only a method can be idempotent');
    }
    function wrapped(this: unknown, ...args: unknown[]): unknown {
      const phases = phasesOf(() => handler?.apply(this, args), this, args);
      return runWith(runOnce.getStore() ?? runThrough, phases);
    }
    Object.defineProperty(wrapped, 'name', { value: handler.name });
    for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), wrapped);
    }
    descriptor.value = wrapped;
  };
}
