import { ObjectLiteral, Repository, UpdateResult } from 'typeorm';

/** The entity in a row, as the driver delivered it, with the columns that the row has. */
export function toEntity<T extends ObjectLiteral>(
  repository: Repository<T>,
  row: Readonly<Record<string, unknown>>,
): T {
  const { metadata, manager } = repository;
  const entity = repository.create();
  for (const column of metadata.columns) {
    if (column.databaseName in row) {
      const value = row[column.databaseName];
      column.setEntityValue(entity, manager.dataSource.driver.prepareHydratedValue(value, column));
    }
  }
  return entity;
}

/** The entity an `UPDATE … RETURNING *` gave back, or `null` where no row matched. */
export function returnedEntity<T extends ObjectLiteral>(
  repository: Repository<T>,
  result: UpdateResult,
): T | null {
  const [row] = result.raw as Record<string, unknown>[];
  return row === undefined ? null : toEntity(repository, row);
}
