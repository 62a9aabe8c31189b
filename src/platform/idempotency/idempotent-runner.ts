import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../protocol/api-error';
import { countIdempotentReplay } from '../metrics/metrics.registry';
import { IdempotencyService } from './idempotency.service';
import { readIdempotentRequest } from './idempotent-request';
import type { Phases } from './phases.types';

/** Header of a replayed response. */
const REPLAYED_HEADER = 'idempotency-replayed';

/** Runs the handlers of requests that carry an `Idempotency-Key`. */
@Injectable()
export class IdempotentRunner {
  constructor(private readonly idempotency: IdempotencyService) {}

  /**
   * Runs the phases of a handler; `prepare` runs only if there is no outcome to replay.
   *
   * @throws ApiError the refusal of the handler, or of an earlier request with the key
   */
  async run<P, T, R>(
    request: FastifyRequest,
    reply: FastifyReply,
    { companyId, prepare, work, respond }: Phases<P, T, R>,
  ): Promise<R> {
    const read = readIdempotentRequest(request);
    const keyed = { ...read, companyId: (await companyId?.()) ?? read.companyId };
    const earlier = prepare && (await this.idempotency.find(keyed));
    const doWork = async (prepared: P) =>
      this.idempotency.once(keyed, async () => ({
        body: await work(prepared),
        etag: reply.getHeader('etag')?.toString(),
      }));
    const { outcome, replayed } = earlier ?? (await doWork((await prepare?.()) as P));
    if (replayed) {
      countIdempotentReplay();
      reply.header(REPLAYED_HEADER, 'true');
    }
    if ('error' in outcome) {
      const { code, message, details, properties } = outcome.error;
      throw new ApiError(code, message, details, {}, properties);
    }
    if (outcome.etag !== undefined) {
      reply.header('etag', outcome.etag);
    }
    return respond(outcome.body as T);
  }
}
