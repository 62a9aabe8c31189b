import type { Account } from './account.types';
import type { DialectName } from './dialects';

/** Keep-alive connections, each of which sends one request after the other. */
export const CONNECTIONS = 32;

/** An order for the load generator. */
export interface Order {
  url: string;
  dialect: DialectName;
  row: string;
  accounts: Account[];
  seconds: number;
  connections?: number;
  /** Requests per second of all connections together; by default as many as they can send. */
  rate?: number;
}

/** The result of an order. */
export interface Outcome {
  requestsPerSecond: number;
  /** In milliseconds. */
  median: number;
  p99: number;
  /** Number of responses. */
  answers: number;
  /** CPU seconds of the load generator itself. */
  cpuSeconds: number;
  seconds: number;
  shape: string[];
}
