import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { newStoredId, printId, readId, StoredId } from '../../platform/database/identifiers';
import { environmentOf, MODES } from '../../platform/caller/environment.rules';
import { maskOf, newPostId, routeOf } from './post-id.rules';

const masks = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(maskOf);
const newMask = () => maskOf(randomBytes(32));
const company = fc.uuid({ version: 7 }).map((text) => text as unknown as StoredId);

const endOf = (companyId: StoredId) => (companyId as unknown as string).slice(-7);

/** The UUID of a post_id. */
const uuidOf = (postId: string) => readId(postId)!.id as unknown as string;

describe('a post_id', () => {
  it('tells the mode and the end of the company_id to whoever has the key', () => {
    fc.assert(
      fc.property(masks, company, fc.constantFrom(...MODES), (mask, companyId, mode) => {
        const postId = newPostId(mask, environmentOf(companyId, mode));
        expect(routeOf(mask, postId)).toEqual({ mode, company: endOf(companyId) });
      }),
    );
  });

  it('is a UUIDv7 in base32, also where the route or the mask begins with zeros', () => {
    const mask = newMask();
    const companyId = '01990000-0000-7000-8000-000000000000' as unknown as StoredId;
    for (let count = 0; count < 1000; count += 1) {
      expect(uuidOf(newPostId(mask, companyId))).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it('looks random without the key: no two of a company show that they have one', () => {
    const mask = newMask();
    const companyId = newStoredId();
    const ids = Array.from({ length: 400 }, () => uuidOf(newPostId(mask, companyId)));
    expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(400);
    // Each of the last eight digits has every value, as the masks have.
    for (let place = 1; place <= 8; place += 1) {
      expect(new Set(ids.map((id) => id.at(-place))).size).toBe(16);
    }
  });

  it('tells nothing to whoever has another key', () => {
    const mask = newMask();
    const routes = Array.from({ length: 400 }, () => {
      const companyId = newStoredId();
      const route = routeOf(newMask(), newPostId(mask, companyId));
      return route?.company === endOf(companyId);
    });
    expect(routes).not.toContain(true);
  });

  it('has a mode in one of eight cases if it is invented', () => {
    const mask = newMask();
    const invented = Array.from({ length: 4000 }, () => printId('post', newStoredId()));
    const routed = invented.filter((postId) => routeOf(mask, postId) !== undefined).length;
    expect(routed).toBeGreaterThan(350);
    expect(routed).toBeLessThan(650);
  });

  it.each(['', 'post_', 'x', 'post_01k9x2v8zdf3xbz0q4v5rk6t7', 'part_01k9x2v8zdf3xbz0q4v5rk6t7m'])(
    'is not %j',
    (text) => {
      expect(routeOf(newMask(), text)).toBeUndefined();
    },
  );
});
