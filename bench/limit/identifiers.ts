import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns an identifier in the service's format: a UUIDv7 in base32, unguessable and sorted by
 * time.
 */
export function newId(prefix: 'post' | 'qset' | 'part'): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  // 26 digits hold 130 bits, so the identifier begins with two zero bits.
  let id = '';
  let buffer = 0;
  let bits = 2;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += DIGITS.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return `${prefix}_${id}`;
}
