import type { DeepPartial, EntityMetadata, ObjectLiteral, Repository } from 'typeorm';

/*
 * The statements on single rows that requests wait for. TypeORM's query builders assemble each
 * statement anew, which costs more than everything else that the service does for a request. These
 * statements come from the same entity metadata. They name the columns they return, as
 * prepared statements must (see `postgres-client.ts`).
 */

interface StoredColumn {
  /** The column's name in the database. */
  name: string;
  /** The property of an entity that has its value. */
  property: string;
  isJson: boolean;
  /** SQL that computes the value, for a column that is not stored. */
  computed?: string;
}

interface StoredColumns {
  columns: readonly StoredColumn[];
  /** All columns as SQL. */
  list: string;
  /** Those that are stored: a cluster computes nothing about the moment in what a write returns. */
  returned: string;
  /** Statements with all columns, by what writes them. */
  statements: Map<(columns: string) => string, string>;
}

const columnsByEntity = new WeakMap<EntityMetadata, StoredColumns>();

function columnsOf(metadata: EntityMetadata): StoredColumns {
  let stored = columnsByEntity.get(metadata);
  if (stored === undefined) {
    const table = metadata.tableName;
    const columns = metadata.columns.map(({ databaseName, propertyName, type, query }) => ({
      name: databaseName,
      property: propertyName,
      isJson: type === 'jsonb',
      computed: query?.(table),
    }));
    const list = columns.map(({ name, computed }) =>
      computed ? `${computed} AS ${name}` : `${table}.${name}`,
    );
    const returned = list.filter((_, index) => columns[index]?.computed === undefined);
    stored = {
      columns,
      list: list.join(', '),
      returned: returned.join(', '),
      statements: new Map(),
    };
    columnsByEntity.set(metadata, stored);
  }
  return stored;
}

/** Returns all columns of an entity as SQL, for a statement whose rows go to {@link toEntity}. */
export function columnList<T extends ObjectLiteral>({ metadata }: Repository<T>): string {
  return columnsOf(metadata).list;
}

/**
 * Returns a statement with all columns of an entity, whose rows go to {@link toEntity}. It is
 * written once, since a long text costs something each time: the client looks up its name.
 *
 * @param write a constant
 */
export function statementWith<T extends ObjectLiteral>(
  { metadata }: Repository<T>,
  write: (columns: string) => string,
): string {
  const { list, statements } = columnsOf(metadata);
  let statement = statements.get(write);
  if (statement === undefined) {
    statement = write(list);
    statements.set(write, statement);
  }
  return statement;
}

/** Returns the stored columns of an entity as SQL, out of a value that is a row of its table. */
export function columnsOfRow<T extends ObjectLiteral>(
  { metadata }: Repository<T>,
  row: string,
): string {
  const stored = columnsOf(metadata).columns.filter(({ computed }) => computed === undefined);
  return stored.map(({ name }) => `(${row}).${name}`).join(', ');
}

/**
 * Returns the entity in a row, with the columns that the row has. Values stay as the driver returns
 * them: decimals and 64-bit integers as strings, timestamps as dates, JSON parsed.
 */
export function toEntity<T extends ObjectLiteral>(
  { metadata }: Repository<T>,
  row: Readonly<Record<string, unknown>>,
): T {
  const entity = metadata.create() as Record<string, unknown>;
  for (const { name, property } of columnsOf(metadata).columns) {
    const value = row[name];
    if (value !== undefined) {
      entity[property] = value;
    }
  }
  return entity as T;
}

/** Returns the columns that have a value, and those values as parameters. */
function assigned(
  metadata: EntityMetadata,
  values: ObjectLiteral,
): [names: string[], parameters: unknown[]] {
  const names: string[] = [];
  const parameters: unknown[] = [];
  for (const { name, property, isJson, computed } of columnsOf(metadata).columns) {
    const value: unknown = values[property];
    if (value !== undefined && computed === undefined) {
      names.push(name);
      parameters.push(isJson && value !== null ? JSON.stringify(value) : value);
    }
  }
  return [names, parameters];
}

function columnNamed(metadata: EntityMetadata, property: string): string {
  const column = columnsOf(metadata).columns.find((each) => each.property === property);
  if (column === undefined) {
    throw new Error(`${metadata.name} has no property "${property}"`);
  }
  return column.name;
}

function insertInto(metadata: EntityMetadata, names: string[], ending: string): string {
  return `INSERT INTO ${metadata.tableName} (${names.join(', ')})
    VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) ${ending}`;
}

/**
 * Inserts a row.
 *
 * @param values a value for each column that the database does not fill itself
 * @param properties a constant list of those to return; all of them without it
 * @returns the row as stored, without computed columns
 */
export async function insertRow<T extends ObjectLiteral, Property extends keyof T & string>(
  repository: Repository<T>,
  values: NoInfer<DeepPartial<T>>,
  properties?: readonly Property[],
): Promise<Pick<T, Property>> {
  const { metadata } = repository;
  const [names, parameters] = assigned(metadata, values);
  const named = properties?.map((property) => columnNamed(metadata, property)).join(', ');
  const text = insertInto(metadata, names, `RETURNING ${named ?? columnsOf(metadata).returned}`);
  const [row] = await repository.query<Record<string, unknown>[]>(text, parameters);
  if (row === undefined) {
    throw new Error(`an INSERT into ${metadata.tableName} returned no row`);
  }
  return toEntity(repository, row);
}

/**
 * Inserts a row unless a row with one of its keys exists.
 *
 * @returns the row as stored, without computed columns, or `null` if another one exists
 */
export async function insertRowIfAbsent<T extends ObjectLiteral>(
  repository: Repository<T>,
  values: NoInfer<DeepPartial<T>>,
): Promise<T | null> {
  const { metadata } = repository;
  const [names, parameters] = assigned(metadata, values);
  const ending = `ON CONFLICT DO NOTHING RETURNING ${columnsOf(metadata).returned}`;
  const text = insertInto(metadata, names, ending);
  const [row] = await repository.query<Record<string, unknown>[]>(text, parameters);
  return row === undefined ? null : toEntity(repository, row);
}

/**
 * Updates a row.
 *
 * @param set values of the columns to change
 * @param where values that the row must have; an array matches any of its values, and `undefined`
 *   or `null` matches nothing
 * @returns the row as stored, without computed columns, or `null` if no row matches
 */
export async function updateRow<T extends ObjectLiteral>(
  repository: Repository<T>,
  set: NoInfer<DeepPartial<T>>,
  where: Readonly<Partial<Record<keyof T, unknown>>>,
): Promise<T | null> {
  const { metadata } = repository;
  const [names, parameters] = assigned(metadata, set);
  const conditions = Object.entries(where).map(([property, value]) => {
    const column = columnNamed(metadata, property);
    const parameter = `$${parameters.push(value)}`;
    return `${column} = ${Array.isArray(value) ? `ANY (${parameter})` : parameter}`;
  });
  const [[row]] = await repository.query<[Record<string, unknown>[], number]>(
    `UPDATE ${metadata.tableName}
     SET ${names.map((name, index) => `${name} = $${index + 1}`).join(', ')}
     WHERE ${conditions.join(' AND ')}
     RETURNING ${columnsOf(metadata).returned}`,
    parameters,
  );
  return row === undefined ? null : toEntity(repository, row);
}
