import type { Account } from './databases';
import type { DialectName } from './dialects';

/** Keep-alive connections that send one request after the other. */
export const CONNECTIONS = 32;

/** What the load generator is told to do. */
export interface Order {
  url: string;
  dialect: DialectName;
  row: string;
  accounts: Account[];
  seconds: number;
  connections?: number;
}

/** How it went. */
export interface Outcome {
  requestsPerSecond: number;
  /** Milliseconds. */
  median: number;
  p99: number;
  /** Answers in all. */
  answers: number;
  /** CPU seconds of the load generator itself. */
  cpuSeconds: number;
  seconds: number;
  shape: string[];
}
