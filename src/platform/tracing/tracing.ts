import {
  Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export const tracer = trace.getTracer('campaign-service');

/**
 * Whether an OpenTelemetry SDK was loaded before the service, with `--import`. Without one, spans
 * have no valid identifier; then no code makes any, so traces cost nothing.
 */
export const isTracing = isSpanContextValid(tracer.startSpan('start').spanContext());

/**
 * Whether there is a current trace that is sampled. What happens most often makes spans only then.
 * A request that is not sampled has no current trace, unless it continues one of its caller.
 */
export function isSampled(): boolean {
  return trace.getActiveSpan()?.isRecording() === true;
}

/** Marks a span as failed. Messages stay out of traces, because they can contain stored values. */
export function markFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorType(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the code of an error, such as PostgreSQL's SQLSTATE, or else its name. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error;
  }
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** Runs work in a span, in the current trace or else in a new one. */
export async function inSpan<T>(
  name: string,
  work: (span?: Span) => Promise<T>,
  attributes?: Attributes,
  kind = SpanKind.INTERNAL,
): Promise<T> {
  if (!isTracing) {
    return work();
  }
  return tracer.startActiveSpan(name, { attributes, kind }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs work that goes on after the request that started it, outside of the request's trace. */
export function outsideTrace<T>(work: () => T): T {
  return isTracing ? context.with(ROOT_CONTEXT, work) : work();
}

/** Returns what log lines say about a span: by default the current one, if there is one. */
export function traceFields(
  span = isTracing ? trace.getActiveSpan() : undefined,
): { trace_id: string; span_id: string } | undefined {
  if (span === undefined) {
    return undefined;
  }
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** Returns the headers that continue the current trace at a receiver, such as `traceparent`. */
export function traceHeaders(): Record<string, string> {
  const headers = {};
  if (isTracing) {
    propagation.inject(context.active(), headers);
  }
  return headers;
}
