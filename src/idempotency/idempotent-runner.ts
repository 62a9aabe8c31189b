import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error';
import { countIdempotentReplay } from '../metrics/metrics.registry';
import { IdempotencyService, OnceOutcome, Outcome } from './idempotency.service';
import { IdempotentRequest, readIdempotentRequest } from './idempotent-request';
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
    phases: Phases<P, T, R>,
  ): Promise<R> {
    const read = readIdempotentRequest(request);
    const companyId = (await phases.companyId?.()) ?? read.companyId;
    const once = await this.oncePrepared({ ...read, companyId }, reply, phases);
    return phases.respond(resultOf(once, reply) as T);
  }

  private async oncePrepared<P>(
    request: IdempotentRequest,
    reply: FastifyReply,
    { prepare, work }: Pick<Phases<P, unknown, unknown>, 'prepare' | 'work'>,
  ): Promise<OnceOutcome> {
    const earlier = prepare && (await this.idempotency.find(request));
    if (earlier !== undefined) {
      return { outcome: earlier, replayed: true };
    }
    const prepared = (await prepare?.()) as P;
    return this.idempotency.once(
      request,
      outcomeOf(() => work(prepared), reply),
    );
  }
}

/** The outcome of a handler that succeeds. */
function outcomeOf(handler: () => unknown, reply: FastifyReply): () => Promise<Outcome> {
  return async () => {
    const body = await handler();
    return { body, etag: reply.getHeader('etag')?.toString() };
  };
}

function resultOf({ outcome, replayed }: OnceOutcome, reply: FastifyReply): unknown {
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
