import type { Operation } from './types.js';

/** The state of a rate limit. */
export interface RateLimit {
  name: string;
  /** Requests left in the current window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
  /** Requests allowed per window. */
  quota: number;
  /** Length of a window in seconds. */
  windowSeconds: number;
}

/** The result of a call with the metadata of its response. */
export interface WithResponse<T> {
  data: T;
  /** The outcome in words. */
  message: string;
  /** Identifies the request in the service's logs. */
  requestId: string;
  /** The version of the campaign, for `ifMatch`. */
  etag: string | undefined;
  /** Whether this is the stored result of an earlier request with the same idempotency key. */
  idempotentReplay: boolean;
  /** The rate limits that apply to the request; empty if the service has none. */
  rateLimits: readonly RateLimit[];
  /** The response itself; its body has been read. */
  response: Response;
}

/** A promise of a call's data; `withResponse()` returns the response's metadata too. */
export class ApiPromise<
  T,
  O extends Operation | undefined = Operation | undefined,
> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  /** What the call does; undefined for `client.request()`. */
  readonly operation: O;
  readonly #outcome: Promise<WithResponse<T>>;

  constructor(operation: O, outcome: Promise<WithResponse<T>>) {
    this.operation = operation;
    this.#outcome = outcome;
  }

  withResponse(): Promise<WithResponse<T>> {
    return this.#outcome;
  }

  then<A = T, B = never>(
    fulfilled?: ((data: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#outcome.then(({ data }) => data).then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, rejected);
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled);
  }
}

/** What a list with cursors returns. */
export interface CursorPage<T> {
  items: T[];
  /** `null` on the last page. */
  next_cursor: string | null;
}

/** A page of a list. */
export type Page<T, D = CursorPage<T>> = D & {
  /** The next page; `null` after the last one. */
  nextPage(): Promise<Page<T, D> | null>;
};

/** A promise of a list's first page; `for await` iterates over the items of all pages. */
export class PagePromise<
  T,
  D extends { items: T[] } = CursorPage<T>,
  O extends Operation | undefined = Operation | undefined,
>
  extends ApiPromise<Page<T, D>, O>
  implements AsyncIterable<T>
{
  /**
   * The items of all pages, up to a limit.
   *
   * @throws RangeError if there is no limit, or it is not a positive integer
   */
  async toArray(options: { limit: number }): Promise<T[]> {
    // A program in JavaScript may leave it out.
    const limit = (options as Partial<typeof options> | undefined)?.limit ?? 0;
    if (!(Number.isInteger(limit) && limit > 0)) {
      // Nobody waits for the request any more, so its failure must not end the program.
      this.catch(() => undefined);
      throw new RangeError('limit must be a positive integer');
    }
    const items: T[] = [];
    for await (const item of this) {
      if (items.push(item) >= limit) {
        break;
      }
    }
    return items;
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page<T, D>, void, undefined> {
    for (let page: Page<T, D> | null = await this; page !== null; page = await page.nextPage()) {
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) {
      yield* items;
    }
  }
}

/** Reads `RateLimit` and `RateLimit-Policy`, such as `"key";r=1187;t=41` and `"key";q=1200;w=60`. */
export function rateLimitsOf(headers: Headers): RateLimit[] {
  const lines = `${headers.get('ratelimit') ?? ''},${headers.get('ratelimit-policy') ?? ''}`;
  const limits = new Map<string, Record<string, number>>();
  for (const [, name = '', parameters = ''] of lines.matchAll(/"([^"]*)";([a-z0-9=;]*)/g)) {
    const figures = parameters.split(';').map((parameter) => parameter.split('='));
    const known = limits.get(name) ?? {};
    limits.set(name, { ...known, ...Object.fromEntries(figures.map(([k, v]) => [k, Number(v)])) });
  }
  return [...limits].map(([name, { r = NaN, t = NaN, q = NaN, w = NaN }]) => {
    return { name, remaining: r, resetSeconds: t, quota: q, windowSeconds: w };
  });
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) {
    return undefined;
  }
  const seconds = /^[0-9]+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
