import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { isDatabaseUnavailable } from './availability';

function databaseError(code: string | undefined, message = 'something'): QueryFailedError {
  return new QueryFailedError('SELECT 1', [], Object.assign(new Error(message), { code }));
}

describe('the database is unavailable, so that trying again may help', () => {
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
  ])('after %s', (_, code) => {
    expect(isDatabaseUnavailable(databaseError(code))).toBe(true);
    expect(isDatabaseUnavailable(Object.assign(new Error(), { code }))).toBe(true);
  });

  it.each([
    ['a database that does not exist', '3D000'],
    ['a database that lets no one in', '55000'],
    ['a role that is not let in', '28000'],
    ['a wrong password', '28P01'],
  ])('after a connection is refused because of %s, but not after a statement is', (_, code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error(), { code }))).toBe(true);
    expect(isDatabaseUnavailable(databaseError(code))).toBe(false);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ])('after what the driver has no code for: %s', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    expect(isDatabaseUnavailable(databaseError(undefined, message))).toBe(true);
  });
});

describe('the database is unavailable in the middle of a transaction', () => {
  it('after TypeORM has let go of the lost connection', () => {
    expect(isDatabaseUnavailable(new QueryRunnerAlreadyReleasedError())).toBe(true);
    expect(isDatabaseUnavailable(new QueryRunnerProviderAlreadyReleasedError())).toBe(true);
  });
});

describe('the database is there, and trying again would not help', () => {
  it.each(['23505', '23514', '22P02', '42P01', '57000', '25001', 'ENOENT'])('after %s', (code) => {
    expect(isDatabaseUnavailable(databaseError(code))).toBe(false);
  });

  it('after an error of ours, whatever it says', () => {
    expect(isDatabaseUnavailable(new TypeError('x is undefined'))).toBe(false);
    expect(isDatabaseUnavailable(databaseError('23505', 'connection terminated'))).toBe(false);
    expect(isDatabaseUnavailable('ECONNREFUSED')).toBe(false);
    expect(isDatabaseUnavailable(undefined)).toBe(false);
  });
});
