import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, Observable } from 'rxjs';
import { ApiError } from '../http/api-error';
import { countIdempotentReplay } from '../metrics/metrics';
import { IdempotencyService, Outcome } from './idempotency.service';
import { IdempotentRequest, readIdempotentRequest } from './idempotent-request';

/** Says of an answer that it is that of an earlier request. */
const REPLAYED_HEADER = 'idempotency-replayed';

/** Makes requests that carry an `Idempotency-Key` safe to send again. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const idempotent = readIdempotentRequest(request);
    return idempotent === undefined
      ? next.handle()
      : from(this.answer(idempotent, http.getResponse<FastifyReply>(), next));
  }

  private async answer(
    request: IdempotentRequest,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<unknown> {
    const { outcome, replayed } = await this.idempotency.once(request, async () => {
      const body: unknown = await lastValueFrom(next.handle());
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
