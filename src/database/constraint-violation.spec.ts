import { QueryFailedError } from 'typeorm';
import { ApiError } from '../http/api-error';
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
  it('gives back what it found', async () => {
    expect(await withConstraints(() => Promise.resolve(5), meanings)).toBe(5);
  });

  it.each(['23505', '23514', '23503'])(
    'means the error of the constraint it broke: %s',
    async (code) => {
      expect(await outcome(failure({ code, constraint: 'company_email_unique' }))).toBe(taken);
    },
  );

  it('leaves every other error as it is', async () => {
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
