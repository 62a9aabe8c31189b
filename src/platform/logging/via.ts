import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request is a part of, for the log. */
export interface Via {
  /** The interface that the caller uses. */
  via: 'mcp';
  /** The name and the version of the caller's program, as it states them. */
  client: string;
  /** What the caller asked for there. */
  tool: string;
}

/** Set while the service sends a request to itself on behalf of a caller. */
export const viaStorage = new AsyncLocalStorage<Via>();
