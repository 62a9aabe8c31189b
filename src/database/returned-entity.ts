import { ObjectLiteral, Repository, UpdateResult } from 'typeorm';

/**
 * The entity an `UPDATE … RETURNING *` gave back, or `null` where no row matched. TypeORM leaves
 * the row as the driver delivers it.
 */
export function returnedEntity<T extends ObjectLiteral>(
  repository: Repository<T>,
  result: UpdateResult,
): T | null {
  const [row] = result.raw as Record<string, unknown>[];
  if (row === undefined) {
    return null;
  }
  const { metadata, manager } = repository;
  const entity = repository.create();
  for (const column of metadata.columns) {
    const value: unknown = row[column.databaseName];
    column.setEntityValue(entity, manager.dataSource.driver.prepareHydratedValue(value, column));
  }
  return entity;
}
