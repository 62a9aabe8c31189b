import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { registerCompany, TestCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { onPostgres } from '../support/engines';
import { generateKey, lastAccepted, TestKey, use } from '../support/keys';
import { untilLockWait } from '../support/lock-waits';
import { build, RunningService, runService } from '../support/process';

/** Milliseconds within which every process must refuse a revoked key. */
const LIMIT = 1_000;

onPostgres('an API key revoked in one of two processes (section 5)', () => {
  let database: TestDatabase;
  let sql: DataSource;
  let here: RunningService;
  let elsewhere: RunningService;
  let company: TestCompany;
  let key: TestKey;

  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    const { DATABASE_URL } = database.variables as { DATABASE_URL: string };
    sql = await new DataSource({ type: 'postgres', url: DATABASE_URL }).initialize();
    here = await runService({ DATABASE_URL });
    elsewhere = await runService({ DATABASE_URL });
    company = await registerCompany(here.client);
  }, 180_000);

  afterAll(async () => {
    const codes = await Promise.all([here.stop(), elsewhere.stop()]);
    await sql.destroy();
    await database.drop();
    expect(codes).toEqual([0, 0]);
  });

  beforeEach(async () => {
    key = await generateKey(company.account, elsewhere.client);
    await untilCached();
  });

  const useKey = () => use(key.api);

  /** Whether the other process accepts the key without a query. */
  async function isCached(): Promise<boolean> {
    expect(await useKey()).toBe(200);
    const lock = sql.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
    const answer = useKey();
    const cached = await Promise.race([answer.then(() => true), delay(250, false)]);
    await lock.rollbackTransaction();
    await lock.release();
    expect(await answer).toBe(200);
    return cached;
  }

  async function untilCached(): Promise<void> {
    while (!(await isCached())) {
      await delay(50);
    }
  }

  const revokeHere = async () => {
    const { key_id } = key;
    const { status } = await company.account.post('/svc/api-key/revoke', { key_id });
    expect(status).toBe(200);
  };

  const revokeBySql = () =>
    sql.query(`UPDATE api_key SET revoked_at = now() WHERE key_id = $1`, [key.key_id]);

  /** Expects the other process to refuse the key from a second from now on. */
  async function expectRefusedInTime(code = 'api_key_revoked'): Promise<void> {
    const since = performance.now();
    const last = await lastAccepted(async () => (await useKey()) === 200);
    expect(await useKey()).toBe(code);
    expect(last - since).toBeLessThan(LIMIT);
  }

  it('is refused by the other within a second', async () => {
    await revokeHere();
    await expectRefusedInTime();
  });

  it('is refused within a second after its row was changed by SQL', async () => {
    await revokeBySql();
    await expectRefusedInTime();
  });

  it('is refused within a second after its row was deleted by SQL', async () => {
    await sql.query('DELETE FROM api_key WHERE key_id = $1', [key.key_id]);
    await expectRefusedInTime('api_key_invalid');
  });

  it('is not rotated by a rotation that waited for the revocation', async () => {
    const lock = sql.createQueryRunner();
    await lock.startTransaction();
    const touch = 'UPDATE api_key SET revoked_at = $2 WHERE key_id = $1';
    await lock.query(touch, [key.key_id, new Date()]);
    const rotation = company.account.post('/svc/api-key/rotate', { key_id: key.key_id });
    await untilLockWait(sql);
    await lock.query(touch, [key.key_id, new Date()]);
    await lock.commitTransaction();
    await lock.release();
    const { status, body } = await rotation;
    expect([status, body.error?.code]).toEqual([404, 'api_key_not_found']);
  });
});
