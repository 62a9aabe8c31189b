import { createCipheriv } from 'node:crypto';
import { newStoredId, printId, storedId, StoredId } from '../../platform/database/identifiers';
import { Mode, modeOf, MODES } from '../../platform/caller/environment.rules';

/*
 * A post_id tells the service which company's campaign it is, so that a cluster looks on one shard
 * instead of all. Its last eight hexadecimal digits are its route, the mode of the campaign and the
 * last digits of the company_id, masked with the encrypted digits before. Without the key they look
 * random, so nobody else can tell which campaigns are of one company.
 */

/** Where the route begins in the UUID. */
const ROUTE = 28;

/** As the version of an environment's UUID. An invented post_id rarely has either. */
const MODE_DIGITS = { live: '7', test: '8' } as const;

/** How many digits of the company_id a route has: with a million companies, few have the same. */
export const COMPANY_DIGITS = 7;

/** Bytes of a block of AES. The digits before a route are fewer; zeros fill the rest. */
const BLOCK = 16;

/** Masks a route, or removes the mask, by the digits before it. */
export type Mask = (digits: string, route: string) => string;

/** Whose campaign a post_id names, if it names one. */
export interface Route {
  mode: Mode;
  /** The last {@link COMPANY_DIGITS} of its company's UUID, which several companies may share. */
  company: string;
}

/**
 * Returns the mask of a key: one block of AES is as unpredictable as an HMAC, in half of its time.
 * Modes of operation are for longer messages, and hardly any two post_ids have the same digits.
 *
 * @param key 32 bytes
 */
export function maskOf(key: Uint8Array): Mask {
  const cipher = createCipheriv('aes-256-ecb', key, null);
  const block = Buffer.alloc(BLOCK);
  return (digits, route) => {
    block.write(digits.replaceAll('-', ''), 'hex');
    const mask = cipher.update(block).readUInt32BE();
    return ((parseInt(route, 16) ^ mask) >>> 0).toString(16).padStart(route.length, '0');
  };
}

/** Returns a new post_id for a campaign of an environment. */
export function newPostId(mask: Mask, environmentId: StoredId): string {
  const digits = (newStoredId() as unknown as string).slice(0, ROUTE);
  const company = (environmentId as unknown as string).slice(-COMPANY_DIGITS);
  const route = mask(digits, MODE_DIGITS[modeOf(environmentId)] + company);
  return printId('post', (digits + route) as unknown as StoredId);
}

/** Returns the route in a post_id; `undefined` if it has none, as the service did not make it. */
export function routeOf(mask: Mask, postId: string): Route | undefined {
  const id = storedId('post', postId) as unknown as string | null;
  if (id === null) {
    return undefined;
  }
  const route = mask(id.slice(0, ROUTE), id.slice(ROUTE));
  const mode = MODES.find((each) => MODE_DIGITS[each] === route[0]);
  return mode && { mode, company: route.slice(1) };
}
