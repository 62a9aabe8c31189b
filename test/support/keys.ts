import { setTimeout as delay } from 'node:timers/promises';
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

/** Uses a key, and returns the status, or the code of the refusal. */
export async function use(api: Client): Promise<string | number> {
  const { status, body } = await api.get('/svc/campaign/list');
  return body.error?.code ?? status;
}

/** Milliseconds between two uses of a key. */
const PAUSE = 20;

/**
 * Uses a key until it is refused. Returns when its last accepted use was sent, because the response
 * may take long on a busy machine.
 */
export async function lastAccepted(isAccepted: () => Promise<boolean>): Promise<number> {
  let last = performance.now();
  for (let sent = last; await isAccepted(); sent = performance.now()) {
    last = sent;
    await delay(PAUSE);
  }
  return last;
}
