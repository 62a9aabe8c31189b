import { Client, QueryConfig, QueryResult } from 'pg';

/** Statements that are named at the most: more than the service has, less than would hurt. */
const NAMES_MAXIMUM = 500;

const names = new Map<string, string>();

/** A name for a statement's text, the same on every connection; none once there are too many. */
function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < NAMES_MAXIMUM) {
    name = `statement_${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

/**
 * A connection that has the server prepare each statement with parameters once, and plan most of
 * them once, where TypeORM would have it done at every execution. A statement must name the columns
 * it answers: after a migration, PostgreSQL refuses a prepared one that answers `*`.
 */
export class PreparingClient extends Client {
  override query(...args: unknown[]): never {
    const [text, values, callback] = args as [unknown, unknown, (() => void)?];
    const query = super.query.bind(this) as (...given: unknown[]) => Promise<QueryResult>;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return query(...args) as never;
    }
    const prepared: QueryConfig = { name: nameOf(text), text, values };
    return (callback === undefined ? query(prepared) : query(prepared, callback)) as never;
  }
}
