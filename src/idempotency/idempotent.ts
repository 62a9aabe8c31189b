import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { CanFailWith } from '../http/api-docs';
import { IdempotencyInterceptor } from './idempotency.interceptor';

/**
 * A route that may be sent again with the same `Idempotency-Key`: the interceptor and its
 * documentation in one. Every route that changes something is; those that read are spared what an
 * interceptor costs.
 */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
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
