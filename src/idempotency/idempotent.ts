import {
  applyDecorators,
  createParamDecorator,
  ExecutionContext,
  SetMetadata,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CanFailWith } from '../http/api-docs';
import { readIdempotentRequest } from './idempotent-request';

interface Method {
  value: (...args: unknown[]) => unknown;
}

/** Metadata of the handlers that are idempotent. */
export const IDEMPOTENT = 'idempotent';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Handler parameter: the request and its reply. */
const BothOf = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest(), reply: http.getResponse() };
});

/**
 * A route that may be sent again with the same `Idempotency-Key`: the way it works and its
 * documentation in one. Every route that changes something is such a route.
 *
 * The handler is wrapped rather than intercepted: Nest's interceptors make every request pay for
 * several Observables, also those without a key, and that is as much as all of the validation.
 */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    onceForEachKey as MethodDecorator,
    SetMetadata(IDEMPOTENT, true),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes the request safe to send again: for 24 hours the same key answers the first outcome, with `Idempotency-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
    CanFailWith('idempotency_in_progress', 'idempotency_key_reused'),
  );
}

/** Puts a handler, with all that was declared of it, behind the look for an idempotency key. */
function onceForEachKey(controller: object, name: string | symbol, descriptor: Method): void {
  const handler = descriptor.value;
  const last = handler.length;
  BothOf()(controller, name, last);

  function handleOnce(this: unknown, ...args: unknown[]): unknown {
    const { request, reply } = args[last] as Exchange;
    const idempotent = readIdempotentRequest(request);
    const work = () => handler.apply(this, args);
    return idempotent === undefined
      ? work()
      : request.server.idempotency.answer(idempotent, reply, work);
  }

  Object.defineProperty(handleOnce, 'name', { value: handler.name });
  for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), handleOnce);
  }
  descriptor.value = handleOnce;
}
