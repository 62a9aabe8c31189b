import { ApiError } from '../../src/platform/protocol/api-error';
import { ERROR_STATUS, ErrorCode } from '../../src/platform/protocol/error-codes';
import { IdempotencyService } from '../../src/platform/idempotency/idempotency.service';
import { RecordCleaner } from '../../src/platform/idempotency/record-cleaner';
import { createSurvey, survey } from '../support/builders';
import { Answer, Client } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

describe('the outcome of a request with an Idempotency-Key', () => {
  const company = companyForAll();

  const withKey = (key: string, headers: Record<string, string> = {}): Client =>
    company.api.with({ 'idempotency-key': key, ...headers });

  const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';

  const STORED = [403, 404, 409, 422];
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][];

  /** Repeats work that is refused with a code, and returns how often it was done. */
  async function timesDone(code: ErrorCode): Promise<number> {
    let done = 0;
    const request = { scope: 'company test', key: code, route: 'POST /', content: [] };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const once = service.app.get(IdempotencyService).once(request, () => {
        done += 1;
        throw new ApiError(code, 'Refused.');
      });
      const error = await once.then(
        ({ outcome }) => ('error' in outcome ? outcome.error : undefined),
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code, message: 'Refused.' });
    }
    return done;
  }

  it.each(codes.filter(([, status]) => !STORED.includes(status)))(
    'is not stored for %s (%i)',
    async (code) => {
      expect(await timesDone(code)).toBe(2);
    },
  );

  /** They concern the key itself, the moment or the credential. */
  const NEVER_STORED = [
    'idempotency_in_progress',
    'idempotency_key_reused',
    'fully_held',
    'balance_low',
    'spending_limit_exceeded',
    'approval_required',
    'approval_refused',
    'too_many_approvals',
    'quota_full',
    'pace_reached',
    'insufficient_scope',
  ] as const;

  it.each(NEVER_STORED)(
    'is not stored for %s, whose status others are stored for',
    async (code) => {
      expect(await timesDone(code)).toBe(2);
    },
  );

  it.each(
    codes.filter(
      ([code, status]) =>
        STORED.includes(status) && !(NEVER_STORED as readonly string[]).includes(code),
    ),
  )('is stored for %s (%i)', async (code) => {
    expect(await timesDone(code)).toBe(1);
  });

  it('depends on If-Match: another version with the same key is another request', async () => {
    const { post_id } = await createSurvey(company.api);
    const update = { post_id, tagline: 'Another' };
    const first = await withKey('if-match', { 'if-match': '"1"' }).patch(
      '/svc/campaign/update',
      update,
    );
    expect(first.status).toBe(200);
    const again = await withKey('if-match', { 'if-match': '"1"' }).patch(
      '/svc/campaign/update',
      update,
    );
    expect([again.status, isReplayed(again)]).toEqual([200, true]);
    const others: Record<string, string>[] = [{ 'if-match': '"2"' }, {}];
    for (const headers of others) {
      const other = await withKey('if-match', headers).patch('/svc/campaign/update', update);
      expectError(other, 422, 'idempotency_key_reused');
    }
  });

  it('is not stored for a key without the scope: with another key, the request succeeds', async () => {
    const reader = await generateKey(company.account, service.client, {
      scopes: ['campaigns:read'],
    });
    const path = '/svc/survey/create';
    const header = { 'idempotency-key': 'without-the-scope' };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refused = await reader.api.with(header).post(path, survey());
      expectError(refused, 403, 'insufficient_scope');
      expect(isReplayed(refused)).toBe(false);
    }
    const created = await company.api.with(header).post(path, survey());
    expect([created.status, isReplayed(created)]).toEqual([200, false]);
  });

  it('is not stored for a version conflict: after another read, the same key works', async () => {
    const { post_id } = await createSurvey(company.api);
    await company.api.patch('/svc/campaign/update', { post_id, tagline: 'Somebody was faster' });
    const update = { post_id, tagline: 'Another' };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const stale = await withKey('conflict', { 'if-match': '"1"' }).patch(
        '/svc/campaign/update',
        update,
      );
      expectError(stale, 412, 'version_conflict');
      expect(isReplayed(stale)).toBe(false);
    }
    const read = await company.api.get(`/svc/campaign/${post_id}`);
    const fresh = await withKey('conflict', { 'if-match': read.headers.get('etag')! }).patch(
      '/svc/campaign/update',
      update,
    );
    expect([fresh.status, isReplayed(fresh)]).toEqual([200, false]);
  });

  describe('after 24 hours', () => {
    const age = (interval: string) =>
      service.dataSource.query(
        `UPDATE idempotency_record SET created_at = aged.at
         FROM (SELECT now() - interval '${interval}' AS at OFFSET 0) AS aged`,
      );

    it('is overwritten by a new one with the same key', async () => {
      await withKey('expired').post('/svc/survey/create', survey());
      await age('24 hours');
      const second = await withKey('expired').post('/svc/survey/create', survey());
      expect([second.status, isReplayed(second)]).toEqual([200, false]);
      const third = await withKey('expired').post('/svc/survey/create', survey());
      expect([third.body, isReplayed(third)]).toEqual([second.body, true]);
    });

    it('is removed in batches, by two cleaners at once too, and no other outcome is', async () => {
      await service.dataSource.query(`
        INSERT INTO idempotency_record (scope, key_hash, fingerprint, outcome, created_at)
        SELECT '00000000-0000-7000-8000-000000000000'::uuid, sha256(number::text::bytea), '', '',
          now() - interval '24 hours' - number * interval '1 millisecond'
        FROM generate_series(1, 2500) AS number`);
      await withKey('kept').post('/svc/survey/create', survey());
      const left = [1, 2].map(async () => {
        await service.app.get(RecordCleaner).clean();
        const [{ expired }] = await service.dataSource.query(`
          SELECT count(*)::int AS expired FROM idempotency_record
          WHERE created_at <= now() - interval '24 hours'`);
        return expired;
      });
      expect(await Promise.all(left)).toEqual([0, 0]);
      const kept = await withKey('kept').post('/svc/survey/create', survey());
      expect(isReplayed(kept)).toBe(true);
    });

    it('is kept until then', async () => {
      await withKey('in-force').post('/svc/survey/create', survey());
      await age('23 hours 59 minutes');
      await service.app.get(RecordCleaner).clean();
      const again = await withKey('in-force').post('/svc/survey/create', survey());
      expect(isReplayed(again)).toBe(true);
    });
  });
});
