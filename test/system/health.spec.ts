import { OwnConnection } from '../../src/platform/database/own-connection';
import { HealthService } from '../../src/platform/health/health.service';
import { onServer } from '../support/databases';
import { onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { disconnectDatabase, startService, TestService } from '../support/service';

const NOT_READY = {
  success: false,
  data: null,
  error: { code: 'service_unavailable', request_id: expect.any(String), details: [] },
};

describe('the health endpoint', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await startService();
  });

  afterEach(() => service.close());

  async function expectAlive(): Promise<void> {
    const { status, body } = await service.client.get('/health/live');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'The service is alive.',
      data: { status: 'ok' },
    });
  }

  async function expectNotReady(message: string): Promise<void> {
    const { status, headers, body } = await service.client.get('/health/ready');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toEqual({ ...NOT_READY, message });
  }

  const expectReadyAgain = () =>
    eventually(async () => {
      expect((await service.client.get('/health/ready')).status).toBe(200);
    });

  it('returns live and ready in the envelope (section 2.1)', async () => {
    await expectAlive();
    const { status, body } = await service.client.get('/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'The service is ready.',
      data: { status: 'ok' },
    });
  });

  it('returns not ready, but live, while a migration is missing', async () => {
    const rows = await service.dataSource.query<{ timestamp: string; name: string }[]>(
      'SELECT timestamp, name FROM migrations',
    );
    await service.dataSource.query('DELETE FROM migrations');
    await expectNotReady('The database schema is behind this version of the service.');
    await expectAlive();
    for (const { timestamp, name } of rows) {
      await service.dataSource.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
        timestamp,
        name,
      ]);
    }
    await expectReadyAgain();
  });

  it('asks the database once for many requests, but notices a stop at once', async () => {
    const health = service.app.get(HealthService);
    const query = jest.spyOn(OwnConnection.prototype, 'query');
    const checks = () =>
      query.mock.calls.filter(([statement]) => statement.includes('FROM migrations')).length;
    await Promise.all(Array.from({ length: 20 }, () => health.requireReady()));
    await health.requireReady();
    expect(checks()).toBe(1);
    await eventually(async () => {
      await health.requireReady();
      expect(checks()).toBeGreaterThan(1);
    });
    health.announceStop();
    await expectNotReady('The service is stopping.');
  });

  it('returns not ready, but live, when the database is closed', async () => {
    await disconnectDatabase(service);
    await expectNotReady('The database does not respond.');
    await expectAlive();
  });

  onPostgres('on PostgreSQL (TEST_DATABASE_URL)', () => {
    const endSessions = () =>
      onServer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${service.dataSource.driver.database}'`,
      );

    it('returns not ready, but live, while the server refuses connections, and ready again afterwards', async () => {
      const { database } = service.dataSource.driver;
      const setConnections = (allowed: boolean) =>
        onServer(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${allowed}`);
      await setConnections(false);
      await endSessions();
      await expectNotReady('The database does not respond.');
      await expectAlive();
      await setConnections(true);
      await expectReadyAgain();
    });

    it('returns ready while other work has all connections, and a lock of every table', async () => {
      const { dataSource } = service;
      const runners = Array.from({ length: 10 }, () => dataSource.createQueryRunner());
      await Promise.all(runners.map((runner) => runner.startTransaction()));
      const tables = await runners[0]!.query(
        `SELECT string_agg(quote_ident(tablename), ', ') AS all FROM pg_tables
         WHERE schemaname = 'public' AND tablename <> 'migrations'`,
      );
      await runners[0]!.query(`LOCK TABLE ${tables[0].all}`);
      await expectReadyAgain();
      await Promise.all(
        runners.map(async (runner) => {
          await runner.rollbackTransaction();
          await runner.release();
        }),
      );
    });

    it('returns not ready, but live, while the server is read-only, and ready again afterwards', async () => {
      const { database } = service.dataSource.driver;
      await onServer(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
      await endSessions();
      // A check can still meet a session that ended in its hands.
      await eventually(() => expectNotReady('The database is read-only.'));
      await expectAlive();
      // The sessions of the read-only server stay open, as those of a standby do.
      await onServer(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
      await expectReadyAgain();
    });
  });
});
