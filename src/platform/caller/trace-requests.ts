import { context, propagation, Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isTracing, traceFields, tracer } from '../tracing/tracing';
import { callerMode } from './principal';

const spans = new WeakMap<FastifyRequest, Span>();

/**
 * Makes a span of each request, in the trace of its `traceparent`. It says which route and whose
 * mode it was and what came of it, and has no identifier of a company or a person.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing) {
    return;
  }
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request;
    const route = request.routeOptions.url;
    const parent = propagation.extract(context.active(), headers);
    const isContinued = trace.getSpan(parent) !== undefined;
    const span = tracer.startSpan(
      route === undefined ? method : `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': method, 'http.route': route },
      },
      parent,
    );
    // A child of the request's own logger would take longer than the rest of this.
    (request.log as Logger).setBindings(traceFields(span) ?? {});
    if (isContinued || span.isRecording()) {
      spans.set(request, span);
      context.with(trace.setSpan(parent, span), done);
    } else {
      // On Node 20, a context costs every promise of the request something.
      done();
    }
  });
}

/** Enters the trace of a request again: the context is lost while the body is read. */
export function continueTraces(fastify: FastifyInstance): void {
  if (!isTracing) {
    return;
  }
  fastify.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) {
      done();
    } else {
      context.with(trace.setSpan(context.active(), span), done);
    }
  });
}

/** Ends the span of a request, if it has one. */
export function endSpan(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const span = spans.get(request);
  if (span === undefined) {
    return;
  }
  spans.delete(request);
  if (!span.isRecording()) {
    return;
  }
  span.setAttributes({
    'http.response.status_code': statusCode,
    'campaign_service.mode': callerMode(request.principal),
    'error.type': request.errorCode,
  });
  if (statusCode >= 500) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
