import { setTimeout as delay } from 'node:timers/promises';
import { KeyUsageService } from '../../src/access/credential-keys/key-usage.service';
import { BackgroundJobs } from '../../src/platform/scheduling/background-jobs.service';
import { companyForAll } from '../support/fixtures';
import { generateKey, TestKey, use } from '../support/keys';
import { service } from '../support/service';

/** Milliseconds between two requests with a key that expires soon. */
const PAUSE = 10;

describe('the life cycle of an API key (sections 4.7 and 5)', () => {
  const company = companyForAll();
  const stranger = companyForAll();

  const generate = (fields = {}) => generateKey(company.account, service.client, fields);

  const revoke = (key_id: string, account = company.account) =>
    account.post('/svc/api-key/revoke', { key_id });

  const storedRow = async ({ key_id }: TestKey) => {
    const [row] = await service.dataSource.query(
      'SELECT xmin::text, last_used_at FROM api_key WHERE key_id = $1',
      [key_id],
    );
    return row as { xmin: string; last_used_at: Date | null };
  };

  describe('revocation', () => {
    it('takes effect immediately, also for a cached key', async () => {
      const key = await generate();
      expect(await use(key.api)).toBe(200);
      const { data } = await revoke(key.key_id);
      expect(data).toMatchObject({ key_id: key.key_id, revoked_at: expect.any(String) });
      expect(await use(key.api)).toBe('api_key_revoked');
    });

    it('leaves the other keys of the company valid', async () => {
      const key = await generate();
      await revoke((await generate()).key_id);
      expect(await use(key.api)).toBe(200);
    });

    it('keeps the first time when repeated', async () => {
      const { key_id } = await generate();
      const first = await revoke(key_id);
      const second = await revoke(key_id);
      expect(second.status).toBe(200);
      expect(second.body.data).toEqual(first.body.data);
    });

    it("does not find another company's key, which stays valid", async () => {
      const key = await generate();
      const { status, body } = await revoke(key.key_id, stranger.account);
      expect([status, body.error!.code]).toEqual([404, 'api_key_not_found']);
      expect(await use(key.api)).toBe(200);
    });

    it('does not find an unknown key', async () => {
      const { status, body } = await revoke('key_unknown');
      expect([status, body.error!.code]).toEqual([404, 'api_key_not_found']);
    });
  });

  describe('expiry', () => {
    const LIFETIME = 2_000;

    /** Generates a key that expires soon, and returns when, on the clock of `performance.now()`. */
    async function generateShortLived() {
      const now = performance.now();
      const expires_at = new Date(Date.now() + LIFETIME).toISOString();
      return { ...(await generate({ expires_at })), expires: now + LIFETIME };
    }

    it('lets a key work until then and not after, though it is cached', async () => {
      const key = await generateShortLived();
      // A key may end early by the time that reading it took: at most that of the longest request.
      let longest = 0;
      expect(await use(key.api)).toBe(200);
      for (;;) {
        const asked = performance.now();
        const answer = await use(key.api);
        const answered = performance.now();
        longest = Math.max(longest, answered - asked);
        // The clocks of this process and of the database may differ by a few milliseconds.
        if (answered < key.expires - longest - 20) {
          expect(answer).toBe(200);
        } else if (asked > key.expires + 20) {
          expect(answer).toBe('api_key_expired');
          break;
        }
        await delay(PAUSE);
      }
    });

    it('gives way to the revocation of an expired key', async () => {
      const key = await generateShortLived();
      await revoke(key.key_id);
      await service.dataSource.query(
        `UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1`,
        [key.key_id],
      );
      expect(await use(key.api)).toBe('api_key_revoked');
    });
  });

  describe('last_used_at', () => {
    it('is not written by requests but by a periodic flush', async () => {
      const key = await generate();
      const { xmin } = await storedRow(key);
      // The scheduled flush must not run in between.
      const scheduled = jest
        .spyOn(service.app.get(BackgroundJobs), 'run')
        .mockResolvedValue(undefined);
      for (let i = 0; i < 20; i += 1) {
        expect(await use(key.api)).toBe(200);
      }
      expect(await storedRow(key)).toEqual({ xmin, last_used_at: null });
      scheduled.mockRestore();
      const before = Date.now();
      await service.app.get(KeyUsageService).flush();
      const { last_used_at } = await storedRow(key);
      expect(Math.abs(last_used_at!.getTime() - before)).toBeLessThan(60_000);
    });

    it('is not written again for a key that was not used since', async () => {
      const key = await generate();
      await use(key.api);
      await service.app.get(KeyUsageService).flush();
      const row = await storedRow(key);
      await service.app.get(KeyUsageService).flush();
      expect(await storedRow(key)).toEqual(row);
    });

    it('moves forward only, whatever the order in which processes write it', async () => {
      const key = await generate();
      await use(key.api);
      await service.dataSource.query(
        `UPDATE api_key SET last_used_at = '2999-01-01Z' WHERE key_id = $1`,
        [key.key_id],
      );
      await service.app.get(KeyUsageService).flush();
      expect((await storedRow(key)).last_used_at).toEqual(new Date('2999-01-01T00:00:00Z'));
    });

    it('is not changed by requests with a refused key', async () => {
      const key = await generate();
      await revoke(key.key_id);
      await use(key.api);
      await service.app.get(KeyUsageService).flush();
      expect((await storedRow(key)).last_used_at).toBeNull();
    });
  });
});
