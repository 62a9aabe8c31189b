import type { DeepPartial, EntityMetadata, ObjectLiteral, Repository } from 'typeorm';

/*
 * The statements on single rows that requests wait for. TypeORM's builders write and read back each
 * statement anew, which costs more than all the rest that the service does for a request; these are
 * written from the same entity metadata in one go. They name the columns they answer, as prepared
 * statements must (see `postgres-client.ts`).
 */

type Path = readonly [property: string, embedded?: string];

interface StoredColumn {
  /** The column's name in the database. */
  name: string;
  /** Where its value is in an entity, or in an object embedded in it. */
  path: Path;
  isJson: boolean;
}

interface StoredColumns {
  columns: readonly StoredColumn[];
  /** Their names, for a statement. */
  list: string;
}

const columnsByEntity = new WeakMap<EntityMetadata, StoredColumns>();

function columnsOf(metadata: EntityMetadata): StoredColumns {
  let stored = columnsByEntity.get(metadata);
  if (stored === undefined) {
    const columns = metadata.columns.map(({ databaseName, propertyPath, type }) => ({
      name: databaseName,
      path: propertyPath.split('.') as [string, string?],
      isJson: type === 'jsonb',
    }));
    const list = columns.map(({ name }) => `${metadata.tableName}.${name}`).join(', ');
    stored = { columns, list };
    columnsByEntity.set(metadata, stored);
  }
  return stored;
}

/** Every column of an entity, for a statement whose rows {@link toEntity} takes. */
export function columnList<T extends ObjectLiteral>({ metadata }: Repository<T>): string {
  return columnsOf(metadata).list;
}

/**
 * The entity in a row, with the columns that the row has. What the driver delivers is what the
 * entities hold: decimals and 64-bit integers as strings, timestamps as dates, JSON parsed.
 */
export function toEntity<T extends ObjectLiteral>(
  { metadata }: Repository<T>,
  row: Readonly<Record<string, unknown>>,
): T {
  const entity = metadata.create() as Record<string, unknown>;
  for (const { name, path } of columnsOf(metadata).columns) {
    const value = row[name];
    if (value !== undefined) {
      setValue(entity, path, value);
    }
  }
  return entity as T;
}

function setValue(
  entity: Record<string, unknown>,
  [property, embedded]: Path,
  value: unknown,
): void {
  if (embedded === undefined) {
    entity[property] = value;
  } else {
    const part = (entity[property] ??= {}) as Record<string, unknown>;
    part[embedded] = value;
  }
}

function valueAt(values: ObjectLiteral, [property, embedded]: Path): unknown {
  const value: unknown = values[property];
  return embedded === undefined ? value : (value as ObjectLiteral | undefined)?.[embedded];
}

/** The columns that values are given for, and those values as parameters. */
function assigned(metadata: EntityMetadata, values: ObjectLiteral): [string[], unknown[]] {
  const names: string[] = [];
  const parameters: unknown[] = [];
  for (const { name, path, isJson } of columnsOf(metadata).columns) {
    const value = valueAt(values, path);
    if (value !== undefined) {
      names.push(name);
      parameters.push(isJson && value !== null ? JSON.stringify(value) : value);
    }
  }
  return [names, parameters];
}

function columnNamed(metadata: EntityMetadata, property: string): string {
  const column = columnsOf(metadata).columns.find(({ path }) => path[0] === property);
  if (column === undefined) {
    throw new Error(`${metadata.name} has no property "${property}"`);
  }
  return column.name;
}

/**
 * Inserts a row.
 *
 * @param values a value for each column that the database does not fill itself
 * @returns the row as it is stored
 */
export async function insertRow<T extends ObjectLiteral>(
  repository: Repository<T>,
  values: NoInfer<DeepPartial<T>>,
): Promise<T> {
  const { metadata } = repository;
  const [names, parameters] = assigned(metadata, values);
  const [row] = await repository.query<[Record<string, unknown>]>(
    `INSERT INTO ${metadata.tableName} (${names.join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
     RETURNING ${columnList(repository)}`,
    parameters,
  );
  return toEntity(repository, row);
}

/**
 * Updates a row.
 *
 * @param set values of the columns to change
 * @param where values that the row must have; an array stands for any of its values. One that is
 *   `undefined` or `null` is had by no row
 * @returns the row as it is stored now, or `null` where none has these values
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
     RETURNING ${columnList(repository)}`,
    parameters,
  );
  return row === undefined ? null : toEntity(repository, row);
}
