import { abortable, MAX_TIMER_MS, onAbort, pause } from './abort.js';
import type { Credential, Headers as Identity } from './credentials.js';
import { type Context, readDownload, readResponse } from './envelope.js';
import { AbortedError, CampaignServiceError, ConnectionError, TimeoutError } from './errors.js';
import { Observer, type ObserverOptions } from './observe.js';
import { OPERATIONS, type Scheme, VERSION } from './operations.js';
import { type HeaderValues, headersOf, randomId, refuseEmptyIds, targetOf } from './request.js';
import {
  ApiPromise,
  type CursorPage,
  type Page,
  PagePromise,
  type WithResponse,
} from './response.js';
import { retryDelay } from './retry.js';
import type {
  CallOptions,
  Item,
  Operation,
  Path,
  Query,
  RequestBody,
  RequestOptions,
  ResponseData,
  VersionedWriteOptions,
} from './types.js';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions extends ObserverOptions {
  /**
   * Where the service is, such as `https://campaigns.example.com`, without a user name, password,
   * query or fragment.
   */
  baseUrl: string;
  /** Time limit of each attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** How often to retry a request after a transient failure; 2 by default. */
  maxRetries?: number | undefined;
  /** Headers of every request. They do not replace those that the client sets itself. */
  headers?: HeaderValues | undefined;
  /** Your program, for the `User-Agent` header. Browsers send their own. */
  appInfo?: { name: string; version?: string; url?: string } | undefined;
  /** Sends the requests in place of the global `fetch`. */
  fetch?: Fetch | undefined;
}

export type Credentials = Partial<Record<Scheme, Credential>>;

interface Input<O extends Operation> {
  path?: Path<O>;
  query?: Query<O> | undefined;
  body?: RequestBody<O>;
}

/** A request to send. */
interface Call {
  method: string;
  path: string;
  credential: Scheme | null;
  operation: Operation | undefined;
  parameters?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

/** What a call of an operation fills its route with. */
interface Values {
  path?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}

/** A file that the service sends. */
export interface Download {
  headers: Headers;
  requestId: string;
  /** Its bytes; throws a {@link ConnectionError} if the connection is cut. */
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** Ends the connection without reading any. */
  cancel(): void;
}

type Read<T> = (
  response: Response,
  context: Context,
) => Promise<WithResponse<T> | CampaignServiceError>;

/** The options of a client that give it a credential. */
const NEEDED = {
  api_key: 'apiKey',
  account_token: 'account or accessToken',
  platform_key: 'platformKey',
} as const satisfies Record<Scheme, string>;

/** Sends the requests of a client, with its credentials, time limit and retries. */
export class Transport {
  readonly observer: Observer;
  readonly #baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly #headers: Headers;
  readonly #fetch: Fetch;
  readonly #credentials: Credentials;

  /** @throws TypeError if the base URL, a header or the log level is invalid */
  constructor(options: TransportOptions, credentials: Credentials) {
    refuseBaseUrl(options.baseUrl);
    this.observer = new Observer(options);
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.timeoutMs = options.timeoutMs ?? 30_000;
    this.maxRetries = options.maxRetries ?? 2;
    const agent = { 'user-agent': userAgent(options.appInfo) };
    this.#headers = headersOf(agent, options.headers ?? {});
    // Browsers refuse to run fetch as a method of another object.
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#credentials = credentials;
  }

  call<O extends Operation>(
    operation: O,
    input: Input<O>,
    options: VersionedWriteOptions = {},
  ): ApiPromise<ResponseData<O>, O> {
    return new ApiPromise(operation, this.#send(callOf(operation, input), options));
  }

  /** A file, whose bytes are still to be read. */
  async download<O extends Operation>(
    operation: O,
    input: Values,
    options: CallOptions,
  ): Promise<Download> {
    const call = callOf(operation, input);
    const { response, requestId } = await this.#send<undefined>(call, options, readDownload);
    const context = { operation, requestId, idempotencyKey: undefined };
    const reader = response.body?.getReader();
    return {
      headers: response.headers,
      requestId,
      chunks: this.#chunks(reader, context, options),
      cancel: () => void reader?.cancel().catch(() => undefined),
    };
  }

  /** The bytes of a response, chunk by chunk. */
  async *#chunks(
    reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
    context: Context,
    { signal, timeoutMs = this.timeoutMs }: CallOptions,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const read = async () => reader?.read();
        const outcome = await this.#limited(read, context, timeoutMs, signal);
        if (outcome instanceof CampaignServiceError) {
          throw outcome;
        }
        if (outcome?.value === undefined) {
          return;
        }
        yield outcome.value;
      }
    } finally {
      // Ends the connection, unless everything was read.
      void reader?.cancel().catch(() => undefined);
    }
  }

  /** A list whose pages have cursors. */
  list<O extends Operation>(
    operation: O,
    input: Input<O>,
    options?: CallOptions,
  ): PagePromise<Item<O>, ResponseData<O> & CursorPage<Item<O>>, O> {
    return this.pages(operation, input, options, ({ next_cursor: cursor }) =>
      cursor === null ? null : { cursor },
    );
  }

  /**
   * A list, page after page.
   *
   * @param next what the request of the page after one differs in: in its body, if it has one, or in
   *   its query; `null` after the last page
   */
  pages<O extends Operation, D extends { items: Item<O>[] } = CursorPage<Item<O>>>(
    operation: O,
    { path, query, body }: Input<O>,
    options: CallOptions = {},
    next: (data: D) => object | null,
  ): PagePromise<Item<O>, D, O> {
    const load = async (page: object): Promise<WithResponse<Page<Item<O>, D>>> => {
      const input =
        body === undefined
          ? { path, query: { ...query, ...page } }
          : { path, query, body: { ...(body as object), ...page } };
      const outcome = await this.#send<D>(callOf(operation, input), options);
      const change = next(outcome.data);
      const nextPage = async () =>
        change === null ? null : (await load({ ...page, ...change })).data;
      return { ...outcome, data: { ...outcome.data, nextPage } };
    };
    return new PagePromise(operation, load({}));
  }

  /** A request to any route, by default with the first credential that the client has. */
  request<T>(
    method: string,
    path: string,
    { query, body, credential, ...options }: RequestOptions = {},
  ): ApiPromise<T, undefined> {
    const [first = null] = Object.keys(this.#credentials) as Scheme[];
    const scheme = credential === undefined ? first : credential;
    const send = async () => {
      // Anything else could continue the host of the base URL.
      if (!path.startsWith('/')) {
        throw new TypeError(`path must begin with a slash: ${path}`);
      }
      const verb = method.toUpperCase();
      if (body !== undefined && (verb === 'GET' || verb === 'HEAD')) {
        throw new TypeError(`${verb} takes no body`);
      }
      const route = { method: verb, path, credential: scheme };
      return this.#send<T>({ ...route, operation: undefined, query, body }, options);
    };
    return new ApiPromise<T, undefined>(undefined, send());
  }

  /** Sends a request until it succeeds, fails for good, or runs out of retries. */
  async #send<T>(
    call: Call,
    options: VersionedWriteOptions,
    read: Read<T> = readWhole,
  ): Promise<WithResponse<T>> {
    const { operation, method, credential: scheme } = call;
    const { signal, ifMatch, timeoutMs = this.timeoutMs, maxRetries = this.maxRetries } = options;
    if (!(timeoutMs > 0 && maxRetries >= 0)) {
      throw new RangeError('timeoutMs must be positive, and maxRetries must not be negative');
    }
    refuseEmptyIds({ ...call.query, ...(call.body as object | undefined) });
    const target = targetOf(call.path, call.parameters, call.query);
    const path = target.replace(/\?.*/, '');
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const idempotencyKey = method === 'GET' ? undefined : (options.idempotencyKey ?? randomId());
    const given = headersOf(this.#headers, options.headers ?? {});
    const credential = scheme === null ? undefined : this.#credentials[scheme];
    if (scheme !== null && credential === undefined) {
      throw new TypeError(`${operation ?? 'The request'} needs a client with ${NEEDED[scheme]}`);
    }

    for (let retries = 0, attempt = 1, renewed = false; ; attempt += 1) {
      const requestId = given.get('x-request-id') ?? randomId();
      const context: Context = { operation, idempotencyKey, requestId };
      const identity = await identify(credential, context, signal);
      const headers = headersOf(given, identity, {
        'content-type': body && 'application/json',
        'idempotency-key': idempotencyKey,
        'if-match': ifMatch,
        'x-request-id': requestId,
      });
      // Following a redirect could send the credential to another host, and turns POST into GET.
      const init: RequestInit = { method, headers, body: body ?? null, redirect: 'manual' };
      const sent = { operation, method, path, attempt, requestId };
      this.observer.requested(sent);
      const startedAt = performance.now();
      const exchange = async (aborted: AbortSignal) => {
        const response = await this.#fetch(this.#baseUrl + target, { ...init, signal: aborted });
        return read(response, context);
      };
      const outcome = await this.#limited(exchange, context, timeoutMs, signal);
      const failed = outcome instanceof CampaignServiceError;
      this.observer.responded({
        ...sent,
        requestId: outcome.requestId,
        status: failed ? outcome.status : outcome.response.status,
        durationMs: performance.now() - startedAt,
        error: failed ? outcome : undefined,
      });
      if (!failed) {
        return outcome;
      }
      if (outcome.code === 'token_invalid' && !renewed && credential?.renew(identity)) {
        renewed = true;
        continue;
      }
      retries += 1;
      const delay = retries > maxRetries ? undefined : retryDelay(outcome, retries);
      if (delay === undefined) {
        throw outcome;
      }
      this.observer.log('info', `${method} ${path}: retry in ${delay} ms`);
      await pause(delay, signal);
    }
  }

  /**
   * Communicates with the service, within a time. Returns its error, so that the caller can decide
   * whether to retry.
   */
  async #limited<T>(
    exchange: (aborted: AbortSignal) => Promise<T>,
    context: Context,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<T | CampaignServiceError> {
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const timer = setTimeout(cancel, Math.min(timeoutMs, MAX_TIMER_MS));
    const stop = onAbort(signal, cancel);
    try {
      signal?.throwIfAborted();
      // A custom fetch may ignore the signal.
      return await abortable(exchange(controller.signal), controller.signal);
    } catch (cause) {
      if (signal?.aborted) {
        return abortedError(context, signal);
      }
      if (controller.signal.aborted) {
        const message = `No response within ${timeoutMs} ms`;
        return new TimeoutError(message, { ...context, code: 'timeout' });
      }
      const message = `The connection to ${this.#baseUrl} failed: ${reasonOf(cause)}`;
      return new ConnectionError(message, { ...context, code: 'connection_failed' }, { cause });
    } finally {
      clearTimeout(timer);
      stop();
    }
  }
}

function callOf(operation: Operation, { path: parameters, ...rest }: Values): Call {
  const [method, path, credential] = OPERATIONS[operation];
  return { method, path, credential, operation, parameters, ...rest };
}

/** `URL.canParse` is wrong about some texts in Node 20 and 22. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * The message does not show the URL, which may have a password.
 *
 * @throws TypeError if no request can be sent to paths under the URL
 */
function refuseBaseUrl(text: string): void {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new TypeError('baseUrl must not have a user name, password, query or fragment');
  }
}

async function readWhole<T>(response: Response, context: Context) {
  return readResponse<T>(response, await response.text(), context);
}

/** The headers of a credential. An aborted signal ends the wait for a log-in. */
async function identify(
  credential: Credential | undefined,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<Identity> {
  try {
    signal?.throwIfAborted();
    return credential === undefined ? {} : await abortable(credential.headers(), signal);
  } catch (error) {
    throw signal?.aborted ? abortedError(context, signal) : error;
  }
}

function abortedError(context: Context, signal: AbortSignal): AbortedError {
  const cause: unknown = signal.reason;
  return new AbortedError('The call was canceled', { ...context, code: 'aborted' }, { cause });
}

/** A page's requests have the browser's name; Firefox would ask the service to allow another. */
function userAgent(app: TransportOptions['appInfo']): string | undefined {
  if ('document' in globalThis || 'WorkerGlobalScope' in globalThis) {
    return undefined;
  }
  const client = `campaign-service-client/${VERSION}`;
  if (app === undefined) {
    return client;
  }
  const version = app.version === undefined ? '' : `/${app.version}`;
  const url = app.url === undefined ? '' : ` (${app.url})`;
  return `${client} ${app.name}${version}${url}`;
}

/** Node's fetch throws "fetch failed" with the reason as its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Partial<Error>;
  return (cause as Partial<Error> | undefined)?.message || message || String(error);
}
