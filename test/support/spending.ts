import type { Answer, Client } from './client';
import { generateKey, TestKey } from './keys';
import { service } from './service';

/** Generates a key that may commit so much. */
export const limitedKey = (account: Client, amount: number, per = 'total'): Promise<TestKey> =>
  generateKey(account, service.client, { spending_limit: { amount, per } });

/** Returns what a key has committed in the current period. */
export async function committedBy(account: Client, keyId: string): Promise<number | null> {
  return (await account.get(`/svc/api-key/${keyId}/spending`)).data.committed;
}

/** What a refusal says of the limit. */
export function refusalOf({ status, body }: Answer) {
  const { code, limit, per, left, required, resets_at } = body.error ?? {};
  return { status, code, limit, per, left, required, resets_at };
}

export const toggle = (api: Client, post_id: string, is_live: boolean): Promise<Answer> =>
  api.patch('/svc/campaign/toggle-live', { post_id, is_live });
