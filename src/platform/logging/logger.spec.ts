import { QueryFailedError } from 'typeorm';
import { serializeError } from './logger';

describe('logging an error', () => {
  it('keeps what a database error says but no value that a client sent', () => {
    const driverError = Object.assign(new Error('duplicate key value violates unique constraint'), {
      code: '23505',
      constraint: 'company_email_unique',
      table: 'company',
      detail: 'Key (lower(email))=(private@example.com) already exists.',
      where: 'unnamed portal parameter $1 = private@example.com',
    });
    const error = new QueryFailedError(
      'INSERT INTO company VALUES ($1, $2)',
      ['private@example.com', '$argon2id$private'],
      driverError,
    );
    const logged = serializeError(error);
    expect(logged).toEqual({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint',
      stack: expect.stringContaining('QueryFailedError'),
      code: '23505',
      constraint: 'company_email_unique',
      table: 'company',
    });
    expect(JSON.stringify(logged)).not.toContain('private');
  });

  it('keeps only the named members, whatever an error carries', () => {
    const error = Object.assign(new Error('failed'), { apiKey: 'csk_secret', headers: {} });
    expect(Object.keys(serializeError(error))).toEqual(
      expect.not.arrayContaining(['apiKey', 'headers', 'raw']),
    );
    expect(JSON.stringify(serializeError(error))).not.toContain('csk_secret');
  });

  it.each([
    ['text', { type: 'string', message: 'text' }],
    [undefined, { type: 'undefined', message: 'undefined' }],
    [{ password: 'secret' }, { type: 'object', message: '[object Object]' }],
  ])('describes a thrown value that is not an error by its type and text: %j', (thrown, logged) => {
    expect(serializeError(thrown)).toEqual(logged);
  });
});
