import {
  Agent as HttpAgent,
  AgentOptions,
  ClientRequest,
  IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Injectable, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { Env } from '../../platform/config/env';
import { parseUrl } from '../../platform/config/parse-url';
import { isAddressInside, isRefusal, publicAgent } from './public-addresses';
import { TargetRules, targetRules, whyRefused } from './target.rules';
import type { DeliveryError } from './webhook.types';

/** Bytes and milliseconds of a response's body that are read so that its connection can go on. */
const BODY_MAXIMUM = 16_384;
const BODY_TIME = 1_000;

/** Bytes of a response's headers, and informational responses before it, that are accepted. */
const HEADERS_MAXIMUM = 16_384;
const INFORMATIONAL_MAXIMUM = 10;

/** Milliseconds that an unused connection stays open. */
const IDLE = 4_000;

/** Milliseconds that running attempts may go on when the service stops. */
const GRACE = 5_000;

/** What a receiver gets. */
export interface Message {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What came of sending a message. */
export interface Outcome {
  /** The status of the response; `null` without one. */
  status: number | null;
  /** `null` for a success. */
  error: DeliveryError | null;
  /** The response's `Retry-After`, in seconds. */
  retryAfter?: number;
}

/**
 * Sends messages to the receivers that clients name, at public addresses only: the agent checks the
 * address of each connection after the lookup, so a name cannot change in between.
 */
@Injectable()
export class SenderService implements OnModuleDestroy, OnApplicationShutdown {
  private readonly rules: TargetRules;
  private readonly timeout: number;
  private readonly https: HttpsAgent;
  private readonly http: HttpAgent;
  private readonly running = new Set<AbortController>();
  private stopped = false;

  constructor(env: Env) {
    this.rules = targetRules(env);
    this.timeout = env.WEBHOOK_TIMEOUT_SECONDS * 1_000;
    const options: AgentOptions = { keepAlive: true, timeout: IDLE, maxFreeSockets: 32 };
    this.https = this.rules.allowPrivate ? new HttpsAgent(options) : publicAgent(options);
    this.http = new HttpAgent(options);
  }

  /** The shutdown waits for running attempts, but not for long. */
  onModuleDestroy(): void {
    setTimeout(() => {
      this.stopped = true;
      for (const attempt of this.running) {
        attempt.abort('interrupted' satisfies DeliveryError);
      }
    }, GRACE).unref();
  }

  onApplicationShutdown(): void {
    this.https.destroy();
    this.http.destroy();
  }

  /**
   * Sends a message once. Redirects are not followed, and the response's body is not kept. It ends
   * by its time limit, or soon after a stop of the service, whatever the receiver does.
   */
  async send(message: Message): Promise<Outcome> {
    const url = parseUrl(message.url);
    if (
      url === undefined ||
      whyRefused(message.url, this.rules) !== undefined ||
      (!this.rules.allowPrivate && isAddressInside(url.hostname))
    ) {
      return { status: null, error: 'address_not_allowed' };
    }
    if (this.stopped) {
      return { status: null, error: 'interrupted' };
    }
    const attempt = new AbortController();
    const timer = setTimeout(() => {
      attempt.abort('timeout' satisfies DeliveryError);
    }, this.timeout);
    this.running.add(attempt);
    try {
      return await this.exchange(url, message, attempt.signal);
    } catch (error) {
      return { status: null, error: classify(error as Failure) };
    } finally {
      clearTimeout(timer);
      this.running.delete(attempt);
    }
  }

  /**
   * Sends a request, and reads the response as far as its connection can be used again. The signal
   * settles it directly rather than through the socket: a request whose socket switches protocols
   * reports neither a response nor an error, and its abortion changes nothing.
   */
  private exchange(url: URL, message: Message, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:';
      const options = { method: 'POST', headers: message.headers, maxHeaderSize: HEADERS_MAXIMUM };
      const request: ClientRequest = isHttps
        ? requestHttps(url, { ...options, agent: this.https })
        : requestHttp(url, { ...options, agent: this.http });
      let outcome: Outcome | undefined;
      const stop = () => {
        resolve(outcome ?? { status: null, error: signal.reason as DeliveryError });
        request.destroy();
      };
      signal.addEventListener('abort', stop);
      if (signal.aborted) {
        stop();
      }
      let informational = 0;
      request.on('information', () => {
        informational += 1;
        if (informational > INFORMATIONAL_MAXIMUM) {
          request.destroy();
        }
      });
      request.on('response', (response) => {
        outcome = outcomeOf(response);
        skipBody(response);
      });
      request.on('upgrade', (response, socket) => {
        resolve(outcomeOf(response));
        socket.destroy();
      });
      request.on('error', (error: Failure) => {
        if (outcome !== undefined) {
          resolve(outcome);
        } else if (request.reusedSocket && error.code === 'ECONNRESET') {
          // The receiver closed an unused connection just when it was used again.
          resolve(this.exchange(url, message, signal));
        } else {
          reject(error);
        }
      });
      request.on('close', () => {
        resolve(outcome ?? { status: null, error: 'invalid_response' });
      });
      request.end(message.body);
    });
  }
}

/** Reads a body to its end, or ends a connection whose body is too long or too slow. */
function skipBody(response: IncomingMessage): void {
  let length = 0;
  const timer = setTimeout(() => response.destroy(), BODY_TIME);
  response.on('close', () => {
    clearTimeout(timer);
  });
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_MAXIMUM) {
      response.destroy();
    }
  });
  // The outcome is the status; what happens to the body does not change it.
  response.on('error', () => undefined);
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  if (status >= 200 && status < 300) {
    return { status, error: null };
  }
  if (status >= 300 && status < 400) {
    return { status, error: 'redirect' };
  }
  const retryAfter = secondsOf(headers['retry-after']);
  return { status, error: status === 410 ? 'gone' : 'status', retryAfter };
}

/** Returns the seconds of a `Retry-After`, which is a number or a date. */
function secondsOf(header: string | undefined): number | undefined {
  const seconds = /^\d{1,9}$/.test(header ?? '')
    ? Number(header)
    : (Date.parse(header ?? '') - Date.now()) / 1_000;
  return seconds > 0 ? seconds : undefined;
}

interface Failure extends NodeJS.ErrnoException {
  /** OpenSSL's reason, on the errors of a handshake. */
  reason?: string;
}

const NOT_CONNECTED: readonly (string | undefined)[] = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
];

/** The codes of certificates that OpenSSL refuses, and of failed handshakes. */
const TLS =
  /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|HOSTNAME_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|PATH_LENGTH)/;

function classify(failure: Failure): DeliveryError {
  const { code, syscall } = failure;
  if (isRefusal(failure)) {
    return 'address_not_allowed';
  }
  if (syscall?.startsWith('query') === true || syscall === 'getaddrinfo') {
    return 'dns_failed';
  }
  if (TLS.test(code ?? '')) {
    return 'tls_failed';
  }
  return NOT_CONNECTED.includes(code) ? 'connection_failed' : 'invalid_response';
}
