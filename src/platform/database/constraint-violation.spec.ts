import { QueryFailedError } from 'typeorm';
import { ApiError } from '../protocol/api-error';
import { withConstraints } from './constraint-violation';

const taken = new ApiError('email_taken', 'Taken.');
const meanings = { company_email_unique: () => taken };

const failure = (members: object) =>
  new QueryFailedError('INSERT', [], Object.assign(new Error('failed'), members));

const outcome = (error: unknown) =>
  withConstraints(() => Promise.reject(error as Error), meanings).catch(
    (thrown: unknown) => thrown,
  );

describe('a statement with named constraints', () => {
  it('returns its result', async () => {
    expect(await withConstraints(() => Promise.resolve(5), meanings)).toBe(5);
  });

  it.each(['23505', '23514', '23503'])(
    'throws the error of the constraint it violates: %s',
    async (code) => {
      expect(await outcome(failure({ code, constraint: 'company_email_unique' }))).toBe(taken);
    },
  );

  it.each([
    ['duplicate key value violates unique constraint "company_email_unique_102040"', true],
    ['insert or update violates constraint "company_email_unique"', true],
    ['duplicate key value violates unique constraint "company_email_unique_2"', false],
  ])('reads the name from the message of a Citus worker: %s', async (message, known) => {
    const error = new QueryFailedError(
      'INSERT',
      [],
      Object.assign(new Error(message), { code: '23505' }),
    );
    expect(await outcome(error)).toBe(known ? taken : error);
  });

  it('reads the name of a shard that the coordinator itself has', async () => {
    const error = failure({ code: '23503', constraint: 'company_email_unique_102040' });
    expect(await outcome(error)).toBe(taken);
  });

  it('rethrows every other error unchanged', async () => {
    for (const error of [
      failure({ code: '23505', constraint: 'campaign_post_id_unique' }),
      failure({ code: '23502' }),
      failure({ code: '42P01', constraint: 'company_email_unique' }),
      failure({}),
      Object.assign(new Error(), { code: '23505', constraint: 'company_email_unique' }),
      undefined,
    ]) {
      expect(await outcome(error)).toBe(error);
    }
  });
});
