import type { DataSource } from 'typeorm';
import { PlatformKeyService } from '../../src/platform-key/platform-key.service';

/** Generates a platform key, as the operator's command does. */
export async function generatePlatformKey(
  dataSource: DataSource,
  scopes?: readonly string[],
): Promise<{ key_id: string; secret: string }> {
  const { key, secret } = await new PlatformKeyService(dataSource.manager).generate('app', scopes);
  return { key_id: key.keyId, secret };
}
