import type { DataSource } from 'typeorm';
import { entities } from '../../src/app.module';
import { PlatformKeyService } from '../../src/access/platform-key/platform-key.service';
import type { Client } from './client';
import { withDatabase } from './databases';
import type { SharedService } from './service';

/** Generates a platform key, as the operator's command does. */
export async function generatePlatformKey(
  dataSource: DataSource,
  { name = 'app', scopes }: { name?: string; scopes?: readonly string[] } = {},
): Promise<{ key_id: string; secret: string }> {
  const { key, secret } = await new PlatformKeyService(dataSource.manager).generate(name, scopes);
  return { key_id: key.keyId, secret };
}

/** Returns a new platform key of a database that only other processes use. */
export async function platformKeyIn(url: string): Promise<string> {
  const generate = (dataSource: DataSource) => generatePlatformKey(dataSource);
  const { secret } = await withDatabase({ DATABASE_URL: url }, generate, { entities });
  return secret;
}

/** A client with a new key of a platform, which has every scope. */
export async function platformClient(
  { dataSource, client }: Pick<SharedService, 'dataSource' | 'client'>,
  name?: string,
): Promise<Client> {
  const { secret } = await generatePlatformKey(dataSource, { name });
  return client.withKey(secret);
}
