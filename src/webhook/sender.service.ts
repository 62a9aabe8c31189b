import {
  Agent as HttpAgent,
  AgentOptions,
  ClientRequest,
  IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Injectable, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import { Env } from '../config/env';
import { isAddressInside, isRefusal, publicAgent } from './public-addresses';
import { TargetRules, targetRules, whyRefused } from './target.rules';
import type { DeliveryError } from './webhook.types';

/** Bytes of a response's body to read, so that its connection can be used again. */
const BODY_MAXIMUM = 16_384;

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
 * Sends messages to the receivers that clients name. It connects to public addresses only: the agent
 * checks the addresses at each connection, after the lookup, so a name cannot change in between.
 */
@Injectable()
export class SenderService implements OnModuleDestroy, OnApplicationShutdown {
  private readonly rules: TargetRules;
  private readonly timeout: number;
  private readonly https: HttpsAgent;
  private readonly http: HttpAgent;
  private readonly running = new Set<AbortController>();

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
      for (const attempt of this.running) {
        attempt.abort('interrupted');
      }
    }, GRACE).unref();
  }

  onApplicationShutdown(): void {
    this.https.destroy();
    this.http.destroy();
  }

  /** Sends a message once. Redirects are not followed, and the response's body is not kept. */
  async send(message: Message): Promise<Outcome> {
    const url = new URL(message.url);
    if (
      whyRefused(url, this.rules) !== undefined ||
      (!this.rules.allowPrivate && isAddressInside(url.hostname))
    ) {
      return { status: null, error: 'address_not_allowed' };
    }
    const attempt = new AbortController();
    const timer = setTimeout(() => {
      attempt.abort('timeout');
    }, this.timeout);
    this.running.add(attempt);
    try {
      return outcomeOf(await this.exchange(url, message, attempt.signal));
    } catch (error) {
      const stopped = attempt.signal.reason as 'timeout' | 'interrupted' | undefined;
      return { status: null, error: stopped ?? classify(error as Failure) };
    } finally {
      clearTimeout(timer);
      this.running.delete(attempt);
    }
  }

  /** Resolves with the head of the response. */
  private exchange(url: URL, message: Message, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const isHttps = url.protocol === 'https:';
      const options = { method: 'POST', headers: message.headers, signal };
      const request: ClientRequest = isHttps
        ? requestHttps(url, { ...options, agent: this.https })
        : requestHttp(url, { ...options, agent: this.http });
      request.on('response', (response) => {
        skipBody(response);
        resolve(response);
      });
      request.on('error', (error: Failure) => {
        // The receiver closed an unused connection just when it was used again.
        if (request.reusedSocket && error.code === 'ECONNRESET') {
          resolve(this.exchange(url, message, signal));
        } else {
          reject(error);
        }
      });
      request.end(message.body);
    });
  }
}

/** Reads a body to its end, or ends a connection whose body is too long or too slow. */
function skipBody(response: IncomingMessage): void {
  let length = 0;
  const timer = setTimeout(() => response.destroy(), IDLE);
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
