import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Encrypts text for storage, with AES-256-GCM.
 *
 * @param key 32 bytes
 * @param context what the text belongs to; it can be decrypted in the same context only
 */
export function encrypt(key: Buffer, text: string, context = ''): Buffer {
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts what {@link encrypt} returned.
 *
 * @returns `undefined` if the data is damaged, or has another key or context
 */
export function decrypt(key: Buffer, data: Buffer, context = ''): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, data.subarray(0, IV_LENGTH))
    .setAAD(Buffer.from(context))
    .setAuthTag(data.subarray(-TAG_LENGTH));
  try {
    const text = decipher.update(data.subarray(IV_LENGTH, -TAG_LENGTH));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
