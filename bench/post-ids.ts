import { createCipheriv } from 'node:crypto';
import type { Client } from 'pg';
import { newStoredId, printedId } from './limit/identifiers';

/** Returns a function that makes a post_id for a live campaign, as the service does. */
export async function postIdsOf(client: Client): Promise<(companyId: string) => string> {
  const { rows } = await client.query<{ key: Buffer }>('SELECT key FROM post_id_key');
  const cipher = createCipheriv('aes-256-ecb', rows[0]?.key ?? '', null);
  return (companyId) => {
    const digits = newStoredId().slice(0, 28);
    const block = Buffer.alloc(16);
    block.write(digits.replaceAll('-', ''), 'hex');
    const mask = cipher.update(block).readUInt32BE();
    const route = ((parseInt(`7${companyId.slice(-7)}`, 16) ^ mask) >>> 0).toString(16);
    return printedId('post', digits + route.padStart(8, '0'));
  };
}
