/** What pg reads the rows of a statement with. */
export interface Columns {
  fields: readonly { name: string; dataTypeID: number }[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** A connection that a pool opens. */
interface Connecting {
  connect(done: (error?: Error) => void): void;
}

declare module 'pg' {
  interface Client {
    /** The process of the server, or what a pooler says it is. */
    processID: number | null;
    getStartupConf(): Record<string, string>;
  }

  interface Pool {
    Client: new (options: unknown) => Connecting;
  }

  interface Query {
    name: string;
    _result: Columns;
    _accumulateRows: boolean;
    hasBeenParsed(connection: Connection): boolean;
    prepare(connection: Connection): void;
    handleRowDescription(message: unknown): void;
  }
}
