import type { DataSource, EntityManager } from 'typeorm';

/**
 * Runs statements one after the other on a connection of their own, for which they wait once. Work
 * that asks for another connection meanwhile could wait for itself.
 */
export async function onOneConnection<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner.manager);
  } finally {
    await runner.release();
  }
}
