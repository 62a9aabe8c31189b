import type { Credential } from './credentials.js';
import { type Context, readResponse } from './envelope.js';
import { AbortedError, CampaignServiceError, ConnectionError, TimeoutError } from './errors.js';
import { OPERATIONS, type Route } from './operations.js';
import {
  ApiPromise,
  type CursorPage,
  type Page,
  PagePromise,
  type WithResponse,
} from './response.js';
import { abortable, pause, retryDelay } from './retry.js';
import type {
  CallOptions,
  Item,
  Operation,
  Path,
  Query,
  RequestBody,
  ResponseData,
  VersionedWriteOptions,
} from './types.js';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  /** Where the service is, such as `https://campaigns.example.com`. */
  baseUrl: string;
  /** Time limit of each attempt in milliseconds; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** How often to retry a request after a transient failure; 2 by default. */
  maxRetries?: number | undefined;
  /** Sends the requests in place of the global `fetch`. */
  fetch?: Fetch | undefined;
}

export type Credentials = Partial<Record<NonNullable<Route['credential']>, Credential>>;

interface Input<O extends Operation> {
  path?: Path<O>;
  query?: Query<O> | undefined;
  body?: RequestBody<O>;
}

/** Timers with a longer delay fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Sends the requests of a client, with its credentials, time limit and retries. */
export class Transport {
  readonly #baseUrl: string;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #fetch: Fetch;
  readonly #credentials: Credentials;

  /** @throws TypeError if the base URL is not an http or https URL */
  constructor(options: TransportOptions, credentials: Credentials) {
    if (!/^https?:$/.test(new URL(options.baseUrl).protocol)) {
      throw new TypeError(`baseUrl must be an http or https URL, not ${options.baseUrl}`);
    }
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxRetries = options.maxRetries ?? 2;
    // Browsers refuse to run fetch as a method of another object.
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#credentials = credentials;
  }

  call<O extends Operation>(
    operation: O,
    input: Input<O>,
    options: VersionedWriteOptions = {},
  ): ApiPromise<ResponseData<O>> {
    return new ApiPromise(this.#send(operation, input, options));
  }

  /** A list whose pages have cursors. */
  list<O extends Operation>(
    operation: O,
    input: Input<O>,
    options?: CallOptions,
  ): PagePromise<Item<O>> {
    return this.pages<O, CursorPage<Item<O>>>(
      operation,
      input,
      options,
      ({ next_cursor: cursor }) => (cursor === null ? null : { cursor }),
    );
  }

  /**
   * A list, page after page.
   *
   * @param next the parameters that the page after one differs in; `null` after the last page
   */
  pages<O extends Operation, D extends { items: Item<O>[] }>(
    operation: O,
    input: Input<O>,
    options: CallOptions = {},
    next: (data: D) => object | null,
  ): PagePromise<Item<O>, D> {
    const load = async (query: object | undefined): Promise<WithResponse<Page<Item<O>, D>>> => {
      const outcome = await this.#send<D>(operation, { ...input, query }, options);
      const change = next(outcome.data);
      const nextPage = async () =>
        change === null ? null : (await load({ ...query, ...change })).data;
      return { ...outcome, data: { ...outcome.data, nextPage } };
    };
    return new PagePromise(load(input.query));
  }

  /** Sends a request until it succeeds, fails for good, or runs out of retries. */
  async #send<T>(
    operation: Operation,
    input: { path?: object; query?: object | undefined; body?: unknown },
    options: VersionedWriteOptions,
  ): Promise<WithResponse<T>> {
    const { method, path, credential: scheme }: Route = OPERATIONS[operation];
    const { signal, ifMatch, timeoutMs = this.#timeoutMs, maxRetries = this.#maxRetries } = options;
    if (!(timeoutMs > 0 && maxRetries >= 0)) {
      throw new RangeError('timeoutMs must be positive, and maxRetries must not be negative');
    }
    const url = `${this.#baseUrl}${pathOf(path, input.path)}${searchOf(input.query)}`;
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    const idempotencyKey = method === 'GET' ? undefined : (options.idempotencyKey ?? randomId());
    const credential = scheme === null ? undefined : this.#credentials[scheme];

    for (let retries = 0, renewed = false; ;) {
      const context: Context = { operation, idempotencyKey, requestId: randomId() };
      const identity = await identify(credential, context, signal);
      const headers = headersOf({
        ...identity,
        'content-type': body && 'application/json',
        'idempotency-key': idempotencyKey,
        'if-match': ifMatch,
        'x-request-id': context.requestId,
      });
      // Following a redirect could send the credential to another host, and turns POST into GET.
      const init: RequestInit = { method, headers, body: body ?? null, redirect: 'manual' };
      const outcome = await this.#attempt<T>(url, init, context, timeoutMs, signal);
      if (!(outcome instanceof CampaignServiceError)) {
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
      await pause(delay, signal);
    }
  }

  /** Sends a request once. Returns its error, so that the caller can decide whether to retry. */
  async #attempt<T>(
    url: string,
    init: RequestInit,
    context: Context,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<WithResponse<T> | CampaignServiceError> {
    const controller = new AbortController();
    const cancel = () => controller.abort();
    const timer = setTimeout(cancel, Math.min(timeoutMs, MAX_TIMER_MS));
    signal?.addEventListener('abort', cancel);
    try {
      signal?.throwIfAborted();
      const exchange = async () => {
        const response = await this.#fetch(url, { ...init, signal: controller.signal });
        return readResponse<T>(response, await response.text(), context);
      };
      // A custom fetch may ignore the signal.
      return await abortable(exchange(), controller.signal);
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
      signal?.removeEventListener('abort', cancel);
    }
  }
}

/** The headers of a credential. An aborted signal ends the wait for a log-in. */
async function identify(
  credential: Credential | undefined,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<Record<string, string>> {
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

function pathOf(template: string, parameters: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(parameters));
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
}

function searchOf(query: object = {}): string {
  const search = new URLSearchParams(given(query)).toString();
  return search === '' ? '' : `?${search}`;
}

/** @throws TypeError if a value cannot stand in a header */
function headersOf(values: Record<string, string | undefined>): Headers {
  return new Headers(given(values));
}

/** The entries that have a value. */
function given(values: object): [name: string, value: string][] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
}

/** Browsers offer `randomUUID` on HTTPS pages only. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Node's fetch throws "fetch failed" with the reason as its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Partial<Error>;
  return (cause as Partial<Error> | undefined)?.message || message || String(error);
}
