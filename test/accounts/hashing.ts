import { randomBytes } from 'node:crypto';
import { CompanyService } from '../../src/access/company/company.service';
import { HashingQueue } from '../../src/access/company/hashing-queue';
import { survey } from '../support/builders';
import { Answer, Client, PASSWORD } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

describe('hashing passwords', () => {
  const company = companyForAll();

  const withKey = (key: string, client: Client = service.client) =>
    client.with({ 'idempotency-key': key });

  const logIn = (client = service.client, fields = {}) =>
    client.post('/api/company/login', { email: company.email, password: PASSWORD, ...fields });

  const register = (client: Client, email: string) =>
    client.post('/api/company/create', { name: 'A', email, password: PASSWORD });

  /** Occupies every turn and every place in the queue while something else happens. */
  async function whileHashingIsBusy<T>(work: () => Promise<T>): Promise<T> {
    const queue = service.app.get(HashingQueue);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const occupied: Promise<void>[] = [];
    let full = false as boolean;
    while (!full) {
      const turn = queue.run(() => released);
      occupied.push(turn.catch(() => void (full = true)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    try {
      return await work();
    } finally {
      release();
      await Promise.all(occupied);
    }
  }

  function expectTurnedAway(answer: Answer): void {
    expectError(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }

  it('refuses logins and registrations with 503 and Retry-After when the queue is full', async () => {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    await whileHashingIsBusy(async () => {
      expectTurnedAway(await logIn());
      expectTurnedAway(await logIn(service.client, { email: 'no-one@example.com' }));
      expectTurnedAway(await logIn(withKey('busy')));
      expectTurnedAway(await register(withKey('busy'), email));
    });
    expect((await logIn(withKey('busy'))).headers.get('idempotency-replayed')).toBeNull();
    expect((await register(withKey('busy'), email)).status).toBe(200);
  });

  it('is not needed to replay a login or a registration', async () => {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    expect((await logIn(withKey('replay'))).status).toBe(200);
    expect((await register(withKey('replay'), email)).status).toBe(200);
    await whileHashingIsBusy(async () => {
      for (const answer of [
        await logIn(withKey('replay')),
        await register(withKey('replay'), email),
      ]) {
        expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      }
      expectError(
        await logIn(withKey('replay'), { password: 'another password' }),
        422,
        'idempotency_key_reused',
      );
    });
  });

  it('holds neither a connection nor a lock: others are served while logins wait', async () => {
    const queue = service.app.get(HashingQueue);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const occupied = Array.from({ length: 3 }, () => queue.run(() => released));
    const waiting = Array.from({ length: 12 }, (_, index) => logIn(withKey(`waiting-${index}`)));
    for (let round = 0; round < 8; round += 1) {
      const { status } = await withKey(`bystander-${round}`, company.api).post(
        '/svc/survey/create',
        survey(),
      );
      expect(status).toBe(200);
    }
    release();
    await Promise.all(occupied);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('gives a login its turn only after its company was read', async () => {
    const takeTurn = jest.spyOn(service.app.get(HashingQueue), 'run');
    let login!: Promise<unknown>;
    // The transaction has the only connection.
    await service.dataSource.transaction(async () => {
      login = service.app.get(CompanyService).logIn({ email: company.email, password: PASSWORD });
      await new Promise((resolve) => setImmediate(resolve));
      expect(takeTurn).not.toHaveBeenCalled();
    });
    await login;
    expect(takeTurn).toHaveBeenCalledTimes(1);
    takeTurn.mockRestore();
  });

  it('happens once for twenty concurrent registrations with the same key', async () => {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register(withKey('at-once'), email)),
    );
    const ids = answers.flatMap(({ status, body }) =>
      status === 200 ? [body.data.company_id] : [],
    );
    expect(new Set(ids).size).toBe(1);
    answers
      .filter(({ status }) => status !== 200)
      .forEach((answer) => expectError(answer, 409, 'idempotency_in_progress'));
    const rows = await service.dataSource.query('SELECT FROM company WHERE email = $1', [email]);
    expect(rows).toHaveLength(1);
  });
});
