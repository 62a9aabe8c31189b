import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../http/api-error';
import { countIdempotentReplay } from '../metrics/metrics';
import { IdempotencyService, Outcome } from './idempotency.service';
import type { IdempotentRequest } from './idempotent-request';

/** Says of an answer that it is that of an earlier request. */
const REPLAYED_HEADER = 'idempotency-replayed';

declare module 'fastify' {
  interface FastifyInstance {
    /** For the handlers of idempotent routes. */
    idempotency: IdempotentAnswers;
  }
}

/** Answers requests that carry an `Idempotency-Key`. */
@Injectable()
export class IdempotentAnswers {
  constructor(private readonly idempotency: IdempotencyService) {}

  /**
   * The answer that the work gives, or gave to an earlier request with the key.
   *
   * @throws ApiError what the work refuses, or refused
   */
  async answer(
    request: IdempotentRequest,
    reply: FastifyReply,
    work: () => unknown,
  ): Promise<unknown> {
    const { outcome, replayed } = await this.idempotency.once(request, async () => {
      const body = await work();
      return { body, etag: reply.getHeader('etag')?.toString() } satisfies Outcome;
    });
    if (replayed) {
      countIdempotentReplay();
      reply.header(REPLAYED_HEADER, 'true');
    }
    if ('error' in outcome) {
      throw new ApiError(outcome.error.code, outcome.error.message, outcome.error.details);
    }
    if (outcome.etag !== undefined) {
      reply.header('etag', outcome.etag);
    }
    return outcome.body;
  }
}
