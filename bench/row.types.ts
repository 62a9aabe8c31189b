import type { Account } from './account.types';
import type { Request } from './request';

/** A kind of work, and the responses it must get. */
export interface Row {
  /** Its description. */
  title: string;
  kind: 'write' | 'read' | 'refusal';
  status: number;
  /** Creates the next request; no two are the same, except for reads. */
  request(accounts: Account[], state: State): Request;
  /** Whether a response is the correct one for its request. */
  isRight(answer: Answer, request: Request): boolean;
  /** Whether it is about respondents, for whom not every contestant has routes. */
  fielding?: true;
  /** Whether only the service itself understands it. */
  serviceOnly?: true;
}

/** What a load generator knows about one contestant's campaigns. */
export interface State {
  /** The number of requests so far. */
  count: number;
  /** The campaigns that were started, by post_id. */
  live: Map<string, boolean>;
  /** How many respondents have begun and submitted, by the row's kind. */
  respondents: Map<string, number>;
}

/** A response as received. */
export interface Answer {
  success: boolean;
  data: Record<string, unknown> | null;
  error?: { code: string; details: unknown[] };
}
