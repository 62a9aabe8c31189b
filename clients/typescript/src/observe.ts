import type { CampaignServiceError } from './errors.js';
import type { Operation } from './types.js';

/** An attempt that is about to be sent. */
export interface RequestEvent {
  /** Undefined for `client.request()`. */
  operation: Operation | undefined;
  method: string;
  /** Without the query. */
  path: string;
  /** 1 for the first attempt of a call. */
  attempt: number;
  /** Identifies the attempt in the service's logs. */
  requestId: string;
}

/** The end of an attempt. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status; undefined if no response arrived. */
  status: number | undefined;
  /** Until the whole response was read. */
  durationMs: number;
  /** Why the attempt failed. The call may still succeed by a retry. */
  error: CampaignServiceError | undefined;
}

/** Receives lines of text. `console` and the loggers pino and winston are such objects. */
export type Logger = Record<'debug' | 'info' | 'warn' | 'error', (line: string) => void>;

const LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** The least important lines to log. */
export type LogLevel = (typeof LEVELS)[number];

export interface ObserverOptions {
  /** Receives the client's log lines; `console` by default. They contain no secrets and no bodies. */
  logger?: Logger | undefined;
  /**
   * `debug` logs every attempt when it is sent; `info` its end, and retries; `warn`, the default,
   * failures of {@link Events.follow}; `error` what a hook throws; `off` nothing.
   */
  logLevel?: LogLevel | undefined;
  /** Called before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each attempt, with or without a response. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
}

/** Reports what a client does to its logger and its hooks. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #logger: Logger;
  readonly #level: number;

  /** @throws TypeError if the level is unknown */
  constructor(options: ObserverOptions) {
    const { logger = console, logLevel = 'warn' } = options;
    this.#options = options;
    this.#logger = logger;
    this.#level = LEVELS.indexOf(logLevel);
    if (this.#level < 0) {
      throw new TypeError(`logLevel must be one of ${LEVELS.join(', ')}`);
    }
  }

  log(level: keyof Logger, line: string): void {
    if (LEVELS.indexOf(level) >= this.#level) {
      this.#logger[level](`campaign-service: ${line}`);
    }
  }

  requested(event: RequestEvent): void {
    this.log('debug', `${nameOf(event)} sent`);
    this.#call('onRequest', event);
  }

  responded(event: ResponseEvent): void {
    const outcome = event.error === undefined ? `${event.status}` : describe(event.error);
    this.log('info', `${nameOf(event)}: ${outcome} after ${Math.round(event.durationMs)} ms`);
    this.#call('onResponse', event);
  }

  /** A hook that throws must not fail a call that succeeds. */
  #call<E>(name: 'onRequest' | 'onResponse', event: E): void {
    const hook = this.#options[name] as ((event: E) => unknown) | undefined;
    void new Promise((resolve) => resolve(hook?.(event))).catch((error: unknown) =>
      this.log('error', `${name} threw ${String(error)}`),
    );
  }
}

/** One line about an error. */
export function describe({ status, code, message }: CampaignServiceError): string {
  return `${status ?? 'no response'} ${code} (${message})`;
}

function nameOf({ method, path, attempt, requestId }: RequestEvent): string {
  return `${method} ${path}, attempt ${attempt}, request ${requestId}`;
}
