import { Connection, Query, QueryResult } from 'pg';
import type { Columns } from '../private-members/pg';

/** Column metadata by statement, shared between connections. */
const lastColumns = new Map<string, Columns>();

/** Returns these columns, or those that another connection keeps, if they are the same. */
function shared(name: string, columns: Columns): Columns {
  const { fields } = columns;
  const last = lastColumns.get(name);
  const isSame =
    last?.fields.length === fields.length &&
    last.fields.every(
      (field, index) =>
        field.name === fields[index]?.name && field.dataTypeID === fields[index].dataTypeID,
    );
  if (isSame) {
    return last;
  }
  lastColumns.set(name, columns);
  return columns;
}

/**
 * The columns of the statements that a connection has prepared. Those of a prepared statement never
 * change: PostgreSQL refuses it after a migration that changes a type, and a pooler prepares it
 * anew, but no migration changes a released type (CONTRIBUTING, Migrations). pg has the server
 * describe them at every execution, and builds from that what it reads rows with, which costs more
 * than reading one row.
 */
export class KnownColumns {
  private readonly columns = new Map<string, Columns>();
  private isKnown = false;

  constructor(connection: Connection) {
    const describe = connection.describe.bind(connection);
    connection.describe = (...message) => {
      if (!this.isKnown) {
        describe(...message);
      }
    };
  }

  get(name: string): Columns | undefined {
    return this.columns.get(name);
  }

  keep(name: string, { fields, _parsers, _prebuiltEmptyResultObject }: Columns): void {
    this.columns.set(name, shared(name, { fields, _parsers, _prebuiltEmptyResultObject }));
  }

  /** Sends a statement without asking for its columns. */
  withoutDescription(send: () => void): void {
    this.isKnown = true;
    try {
      send();
    } finally {
      this.isKnown = false;
    }
  }
}

/** An execution of a prepared statement. */
export class PreparedQuery extends Query {
  constructor(
    name: string,
    text: string,
    values: unknown[],
    private readonly known: KnownColumns,
    done: (error: Error | null, result: QueryResult) => void,
  ) {
    super(text, values, done as ConstructorParameters<typeof Query>[2]);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    const columns = this.hasBeenParsed(connection) ? this.known.get(this.name) : undefined;
    if (columns === undefined) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    this.known.withoutDescription(() => {
      super.prepare(connection);
    });
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    this.known.keep(this.name, this._result);
  }
}

/** SQLSTATEs of a prepared statement that the server lacks, and of one that it has already. */
const FORGOTTEN: readonly unknown[] = ['26000', '42P05'];

/** Those, and that of a prepared statement that returns other columns now. */
const STALE: readonly unknown[] = [...FORGOTTEN, '0A000'];

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Whether a connection got a server that another connection has used. */
export const isForgotten = (error: unknown): boolean => FORGOTTEN.includes(codeOf(error));

/** Whether a connection and its server disagree about a prepared statement. */
export const isStale = (error: unknown): boolean => STALE.includes(codeOf(error));
