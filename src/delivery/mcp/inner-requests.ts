import { AsyncResource } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from '../../platform/rate-limit/client-address';
import { Via, viaStorage } from '../../platform/logging/via';
import type { Json } from '../../platform/openapi/json-schema';
import { Refusal, ToolError } from './tool-error';

/** What an operation has returned. */
export interface Outcome {
  data: Json;
  message: string;
  /** The version in the `ETag`, if there is one. */
  version: number | undefined;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface Sent {
  query?: Query;
  body?: object;
  headers?: Readonly<Record<string, string>>;
}

interface Envelope {
  success: boolean;
  message: string;
  data?: Json;
  error?: Refusal;
}

/** No request's context, so that a request has nothing of the one that sends it. */
const NO_CONTEXT = new AsyncResource('INNER_REQUEST');

/**
 * Sends requests of a caller to the operations of the service, without a connection. They pass the
 * whole pipeline, so that each one is limited, checked, measured and logged as if the caller had
 * sent it.
 */
export class InnerRequests {
  constructor(
    private readonly fastify: FastifyInstance,
    private readonly outer: FastifyRequest,
    private readonly apiKey: string,
    private readonly via: Via,
  ) {}

  /** @throws ToolError if the operation refuses it */
  async get(path: string, query: Query = {}): Promise<Json> {
    return (await this.send('GET', path, { query })).data;
  }

  /** @throws ToolError if the operation refuses it */
  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    { query = {}, body, headers = {} }: Sent = {},
  ): Promise<Outcome> {
    const response = await this.inject(method, path, { query, body, headers });
    const { success, message, data, error } = response.json<Envelope>();
    if (!success || data === undefined) {
      const retryAfter = response.headers['retry-after'];
      throw new ToolError({
        ...(error ?? { code: 'internal_error' }),
        message,
        ...(retryAfter === undefined ? {} : { retry_after: Number(retryAfter) }),
      });
    }
    const [, version] = /^"(\d+)"$/.exec(String(response.headers.etag)) ?? [];
    return { data, message, version: version === undefined ? undefined : Number(version) };
  }

  /** Returns the text of a page; `undefined` if there is none. */
  async page(path: string, query: Query = {}): Promise<string | undefined> {
    const headers = { accept: 'application/json, text/markdown' };
    const { statusCode, body } = await this.inject('GET', path, { query, headers });
    return statusCode === 200 ? body : undefined;
  }

  private async inject(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, sent: Sent) {
    const { query = {}, body, headers } = sent;
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const { host, traceparent } = this.outer.headers;
    const request = {
      method,
      url: path,
      query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      remoteAddress: clientAddress(this.outer),
      headers: {
        'x-api-key': this.apiKey,
        'x-request-id': this.outer.id,
        ...(host === undefined ? {} : { host }),
        ...(typeof traceparent === 'string' ? { traceparent } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    };
    try {
      // In the context of the call, its Idempotency-Key would be that of every operation.
      return await NO_CONTEXT.runInAsyncScope(() =>
        // It is sent when it is awaited.
        viaStorage.run(this.via, async () => await this.fastify.inject(request)),
      );
    } catch (error) {
      this.outer.log.warn(error, 'a request of a tool was not served');
      const message = 'The service is stopping.';
      throw new ToolError({ code: 'service_unavailable', message });
    }
  }
}
