import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { balanceOf, fund, prepay } from '../support/balance';
import { itOnOneServer, itOnPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { begin, begun, expectReconciled, liveSurvey, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { service } from '../support/service';
import { createSurvey } from '../support/builders';

describe('the money of a balance', () => {
  const company = companyForEach();
  const platform = platformForAll();

  it('is never exceeded by 50 respondents at once in three campaigns', async () => {
    await prepay(company, 1_000);
    const posts: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      posts.push(await liveSurvey(company));
    }
    const places = await Promise.all(
      Array.from({ length: 50 }, (_, n) => begin(platform, posts[n % 3]!, `respondent ${n}`)),
    );
    const taken = places.filter(({ status }) => status === 200);
    expect(new Set(places.map(({ body }) => body.error?.code))).toEqual(
      new Set([undefined, 'balance_low']),
    );
    expect(taken.length).toBeLessThanOrEqual(10);
    expect(await balanceOf(company.api)).toMatchObject({ held: 100 * taken.length, funded: 1_000 });
    // Whatever the campaigns have been allotted, all of it is used in the end.
    let person = 0;
    await eventually(async () => {
      person += 1;
      await begin(platform, posts[person % 3]!, `late ${person}`);
      expect(await balanceOf(company.api)).toMatchObject({ held: 1_000, available: 0 });
    });
    await Promise.all(taken.map(({ body }) => submit(platform, body.data, 9)));
    expect((await balanceOf(company.api)).paid).toBe(100 * taken.length);
    await expectReconciled(company.api);
  });

  it('is given once to campaigns that start at once', async () => {
    await prepay(company, 250);
    const posts = await Promise.all(Array.from({ length: 6 }, () => createSurvey(company.api)));
    const starts = await Promise.all(
      posts.map(({ post_id }) =>
        company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true }),
      ),
    );
    expect(new Set(starts.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await balanceOf(company.api)).toMatchObject({ funded: 250 });
  });

  itOnOneServer('is not waited for by those who begin', async () => {
    await prepay(company, 1_000);
    const [one, other] = [await liveSurvey(company), await liveSurvey(company)];
    await eventually(async () => {
      const due = await service.dataSource.query(
        'SELECT FROM allotment_due WHERE company_id = $1 AND NOT is_waiting',
        [storedEnvironment(company.companyId)],
      );
      expect(due).toEqual([]);
    });
    const holder = service.dataSource.createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query('SELECT FROM campaign WHERE post_id = $1 FOR UPDATE', [one]);
      await holder.query('SELECT FROM balance WHERE company_id = $1 FOR UPDATE', [
        storedEnvironment(company.companyId),
      ]);
      const part = await begun(platform, other, 'ann');
      expect((await submit(platform, part, 9)).status).toBe(200);
      await begun(platform, other, 'bob');
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
  });

  itOnPostgres('is not lost when funds, refunds and starts meet', async () => {
    await prepay(company, 500);
    const { post_id } = await createSurvey(company.api);
    await start(company.api, post_id);
    const moves = Array.from({ length: 12 }, (_, n) =>
      n % 3 === 0
        ? company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: n % 2 === 0 })
        : fund(company, 10, n % 3 === 1 ? 'fund' : 'refund').then(
            () => (n % 3 === 1 ? 10 : -10),
            () => 0,
          ),
    );
    const done = await Promise.all(moves);
    const moved = done.reduce<number>(
      (sum, each) => sum + (typeof each === 'number' ? each : 0),
      0,
    );
    expect((await balanceOf(company.api)).funded).toBe(500 + moved);
  });
});
