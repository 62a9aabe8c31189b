import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns an identifier in the service's format: a UUIDv7 in base32, unguessable and sorted by
 * time.
 */
export function newId(prefix: 'post' | 'qset'): string {
  return print(prefix, newBytes());
}

/** Returns an identifier as the service stores it: a UUIDv7. */
export function newStoredId(): string {
  return toUuid(newBytes());
}

/** Returns a stored identifier in the service's format. */
export function printedId(prefix: 'part' | 'post', uuid: string): string {
  return print(prefix, Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}

/** Returns an identifier as it is stored; `null` if it is not in the service's format. */
export function storedId(prefix: 'part', id: string): string | null {
  if (!id.startsWith(`${prefix}_`) || !/^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id)) {
    return null;
  }
  const bytes: number[] = [];
  let buffer = 0;
  // 26 digits hold 130 bits, of which the first two are zero.
  let bits = -2;
  for (const digit of id.slice(prefix.length + 1)) {
    buffer = (buffer << 5) | DIGITS.indexOf(digit);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push(buffer >> bits);
      buffer &= (1 << bits) - 1;
    }
  }
  return toUuid(Buffer.from(bytes));
}

function newBytes(): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function print(prefix: string, bytes: Buffer): string {
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
