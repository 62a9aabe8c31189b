import { QueryFailedError } from 'typeorm';
import { serializeError } from './logger';

describe('what is logged of an error', () => {
  it('is, of a database error, what it was about but never a value that a client sent', () => {
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

  it('has no members but the named ones, whatever an error carries', () => {
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
  ])('is, of what is no error, its kind and text: %j', (thrown, logged) => {
    expect(serializeError(thrown)).toEqual(logged);
  });
});
