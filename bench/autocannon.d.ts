/**
 * The part of autocannon that the bench uses. Autocannon has no types, and those on the registry
 * are out of date.
 */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  namespace autocannon {
    interface Request {
      method?: string;
      path?: string;
      headers?: Record<string, string>;
      body?: string;
      setupRequest?: (request: Request, context: Record<string, unknown>) => Request;
      onResponse?: (status: number, body: string, context: Record<string, unknown>) => void;
    }

    interface Options {
      url: string;
      connections: number;
      /** In seconds. */
      duration: number;
      /** Requests per second of all connections together. */
      overallRate?: number;
      requests: Request[];
    }

    interface Result {
      errors: number;
      timeouts: number;
      /** In seconds. */
      duration: number;
    }

    interface Instance extends EventEmitter, PromiseLike<Result> {
      on(
        event: 'response',
        listener: (client: object, status: number, bytes: number, milliseconds: number) => void,
      ): this;
      on(event: 'reqError', listener: (error: Error) => void): this;
    }
  }

  function autocannon(options: autocannon.Options): autocannon.Instance;

  export = autocannon;
}
