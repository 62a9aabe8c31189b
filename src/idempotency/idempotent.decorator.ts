import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { CanFailWith } from '../openapi/responds-with';
import { keyedExchange } from './idempotency-context';
import type { Phases } from './phases.types';

/** Metadata key of idempotent handlers. */
export const IDEMPOTENT = 'idempotent';

type Method = TypedPropertyDescriptor<(...args: unknown[]) => unknown>;

/**
 * A route that can be repeated with the same `Idempotency-Key`: its behaviour and its
 * documentation. Every route that changes something has this decorator or {@link
 * IdempotentInPhases}.
 *
 * The handler is wrapped, not intercepted: an interceptor runs before the pipes, so the body would
 * be validated in the transaction of the record.
 */
export function Idempotent(): MethodDecorator {
  return idempotent((handle) => {
    const exchange = keyedExchange.getStore();
    return exchange === undefined ? handle() : exchange.runner.run(exchange, handle);
  });
}

/**
 * Like {@link Idempotent}, for a handler that returns {@link Phases}: one whose work is slow, or
 * whose response must not be stored or is large.
 */
export function IdempotentInPhases(): MethodDecorator {
  return idempotent((handle) => {
    const phases = handle() as Phases<unknown, unknown, unknown>;
    const exchange = keyedExchange.getStore();
    return exchange === undefined
      ? runThrough(phases)
      : exchange.runner.runPhases(exchange, phases);
  });
}

async function runThrough<P, T, R>({ prepare, work, respond }: Phases<P, T, R>): Promise<R> {
  return respond(await work((await prepare?.()) as P));
}

function idempotent(around: (handle: () => unknown) => unknown): MethodDecorator {
  return applyDecorators(
    wrapHandler(around) as MethodDecorator,
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

/** Replaces a handler with one that calls `around`, keeping its name and metadata. */
function wrapHandler(around: (handle: () => unknown) => unknown) {
  return (_controller: object, _name: string | symbol, descriptor: Method): void => {
    const handler = descriptor.value;
    if (handler === undefined) {
      throw new Error('only a method can be idempotent');
    }
    function wrapped(this: unknown, ...args: unknown[]): unknown {
      return around(() => handler?.apply(this, args));
    }
    Object.defineProperty(wrapped, 'name', { value: handler.name });
    for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), wrapped);
    }
    descriptor.value = wrapped;
  };
}
