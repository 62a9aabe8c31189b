import type { FastifyRequest } from 'fastify';
import { ApiError, retryLater, serviceUnavailable } from '../protocol/api-error';
import { KIB, MIB } from './body-limit';

/** Bytes of each body that are not counted, so that small requests pass whatever others send. */
const UNCOUNTED = 16 * KIB;

/** The number of counted bytes of a body. */
export function countedBytes(length: number): number {
  return Math.max(0, length - UNCOUNTED);
}

/** Maximum number of counted bytes in memory, in total and for one company. */
const TOTAL_MAXIMUM = 48 * MIB;
const CALLER_MAXIMUM = 16 * MIB;

/**
 * Limits the memory that request bodies take, from the first byte that arrives until the response
 * is ready. A slow upload would otherwise hold memory at almost no cost to its sender.
 */
export class BodyMemory {
  private total = 0;
  private readonly byCaller = new Map<string, number>();
  private readonly byRequest = new WeakMap<FastifyRequest, number>();

  /** @param callerOf returns who sent a request, whose bodies are counted together */
  constructor(private readonly callerOf: (request: FastifyRequest) => string) {}

  /**
   * Counts more bytes of a request's body.
   *
   * @returns a refusal if the bodies take too much memory: `rate_limited` for those of the company,
   *   `service_unavailable` for all of them
   */
  hold(request: FastifyRequest, bytes: number): ApiError | undefined {
    if (bytes === 0) {
      return undefined;
    }
    const caller = this.callerOf(request);
    const held = this.byCaller.get(caller) ?? 0;
    if (held + bytes > CALLER_MAXIMUM) {
      return retryLater(
        'rate_limited',
        'Too many large request bodies of your company are in progress. Try again shortly.',
      );
    }
    if (this.total + bytes > TOTAL_MAXIMUM) {
      return serviceUnavailable(
        'Too many large request bodies are in progress. Try again shortly.',
      );
    }
    this.total += bytes;
    this.byCaller.set(caller, held + bytes);
    this.byRequest.set(request, (this.byRequest.get(request) ?? 0) + bytes);
    return undefined;
  }

  /** Stops counting a request's body. */
  release(request: FastifyRequest): void {
    const bytes = this.byRequest.get(request);
    if (bytes === undefined) {
      return;
    }
    const caller = this.callerOf(request);
    const held = (this.byCaller.get(caller) ?? 0) - bytes;
    this.total -= bytes;
    this.byRequest.delete(request);
    if (held > 0) {
      this.byCaller.set(caller, held);
    } else {
      this.byCaller.delete(caller);
    }
  }
}
