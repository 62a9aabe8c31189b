import type { Client } from './client';

/** A generated API key with a client that uses it. */
export interface TestKey {
  key_id: string;
  name: string | null;
  prefix: string;
  scopes: string[];
  expires_at: string | null;
  api_key: string;
  api: Client;
}

/** Generates a key for the company of an account. */
export async function generateKey(
  account: Client,
  client: Client,
  fields: Record<string, unknown> = {},
): Promise<TestKey> {
  const { data } = await account.post('/svc/api-key/generate', fields);
  return { ...data, api: client.withKey(data.api_key) };
}
