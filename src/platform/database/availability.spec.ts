import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { isDatabaseUnavailable } from './availability';

function databaseError(code: string | undefined, message = 'something'): QueryFailedError {
  return new QueryFailedError('SELECT 1', [], Object.assign(new Error(message), { code }));
}

describe('an unavailable database, where a retry can succeed', () => {
  it.each([
    ['a lost connection', '08006'],
    ['too many connections', '53300'],
    ['a full disk', '53100'],
    ['a shutdown', '57P01'],
    ['a start', '57P03'],
    ['a statement timeout', '57014'],
    ['a lock timeout', '55P03'],
    ['a standby', '25006'],
    ['a deadlock', '40P01'],
    ['a serialization failure', '40001'],
    ['a refused connection', 'ECONNREFUSED'],
    ['an unknown host', 'ENOTFOUND'],
    ['an unreachable network', 'ENETUNREACH'],
  ])('is recognized by %s', (_, code) => {
    expect(isDatabaseUnavailable(databaseError(code))).toBe(true);
    expect(isDatabaseUnavailable(Object.assign(new Error(), { code }))).toBe(true);
  });

  it.each([
    ['a database that does not exist', '3D000'],
    ['a database that lets no one in', '55000'],
    ['a role that is not let in', '28000'],
    ['a wrong password', '28P01'],
  ])(
    'is recognized by a connection refused because of %s, but not by a statement that is',
    (_, code) => {
      expect(isDatabaseUnavailable(Object.assign(new Error(), { code }))).toBe(true);
      expect(isDatabaseUnavailable(databaseError(code))).toBe(false);
    },
  );

  it.each([
    'failure on connection marked as essential: 10.0.0.2:5432',
    'could not commit transaction for shard 102040 on at least one active node',
    "failed to prepare transaction 'citus_0_1_2_3' on host 10.0.0.2:5432",
    'execution cannot recover from multiple connection failures. Last node failed 10.0.0.2:5432',
    'server closed the connection unexpectedly',
    'could not receive data from server: Connection reset by peer',
    'SSL SYSCALL error: EOF detected',
  ])('after a Citus coordinator has lost a worker: %s', (message) => {
    expect(isDatabaseUnavailable(databaseError('XX000', message))).toBe(true);
    expect(isDatabaseUnavailable(databaseError('XX000', 'could not read block 0'))).toBe(false);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('is recognized by a driver error without a code: %s', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    expect(isDatabaseUnavailable(databaseError(undefined, message))).toBe(true);
  });
});

describe('a database that becomes unavailable during a transaction', () => {
  it('is recognized after TypeORM has released the lost connection', () => {
    expect(isDatabaseUnavailable(new QueryRunnerAlreadyReleasedError())).toBe(true);
    expect(isDatabaseUnavailable(new QueryRunnerProviderAlreadyReleasedError())).toBe(true);
  });
});

describe('an available database, where a retry cannot succeed', () => {
  it.each(['23505', '23514', '22P02', '42P01', '57000', '25001', 'ENOENT'])(
    'is recognized by %s',
    (code) => {
      expect(isDatabaseUnavailable(databaseError(code))).toBe(false);
    },
  );

  it('is recognized by an error of our own, whatever its message', () => {
    expect(isDatabaseUnavailable(new TypeError('x is undefined'))).toBe(false);
    expect(isDatabaseUnavailable(databaseError('23505', 'connection terminated'))).toBe(false);
    expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
    expect(isDatabaseUnavailable(undefined)).toBe(false);
  });
});
