import { PlatformKeyService } from '../../src/platform-key/platform-key.service';
import type { Client } from './client';
import type { SharedService } from './service';

/** A client with a new key of a platform, which has every scope. */
export async function platformClient(
  { dataSource, client }: Pick<SharedService, 'dataSource' | 'client'>,
  name = 'app',
): Promise<Client> {
  const { secret } = await new PlatformKeyService(dataSource.manager).generate(name);
  return client.withKey(secret);
}
