import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { inSpan, traceHeaders } from '../../platform/tracing/tracing';
import type { ClaimedDelivery } from './delivery-queue.service';
import type { Outcome } from './sender.service';

type Headers = Record<string, string>;

/** Attempts a delivery in a span; `send` takes the headers that name its trace to the receiver. */
export function tracedAttempt(
  { webhookId, failures }: ClaimedDelivery,
  send: (traceHeaders: Headers) => Promise<Outcome>,
): Promise<Outcome> {
  return inSpan(
    'webhook attempt',
    async (span) => {
      const outcome = await send(traceHeaders());
      const { status, error } = outcome;
      if (status !== null) {
        span?.setAttribute('http.response.status_code', status);
      }
      if (error !== null) {
        span?.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      }
      return outcome;
    },
    { 'campaign_service.webhook_id': webhookId, 'campaign_service.attempt': failures + 1 },
    SpanKind.CLIENT,
  );
}
