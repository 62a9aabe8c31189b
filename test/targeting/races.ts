import { Answer, Client, registerCompany, TestCompany } from '../support/client';
import { itOnPostgres } from '../support/engines';
import { expectReconciled, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { Instances } from '../support/instances';
import { platformClient } from '../support/platforms';
import {
  beginAs,
  countsOf,
  MEN,
  quota,
  targetedSurvey,
  setTargeting,
  WOMEN,
} from '../support/targeting';

const statusesOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('the last place of a quota', () => {
  const company = companyForEach();
  const platform = platformForAll();

  it('goes to one of 60 at once, and nobody of another quota waits for it', async () => {
    const postId = await targetedSurvey(company, {
      quotas: [
        quota('women', WOMEN, 1),
        quota('men', MEN, 20),
        quota('all', { gender: ['female', 'male'] }, 40),
      ],
    });
    const women = Array.from({ length: 60 }, (_, n) =>
      beginAs(platform, postId, `woman ${n}`, { gender: 'female' }),
    );
    const men = Array.from({ length: 20 }, (_, n) =>
      beginAs(platform, postId, `man ${n}`, { gender: 'male' }),
    );
    const refused = (await Promise.all(women)).filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(59);
    expect(new Set(refused.map(({ body }) => `${body.error!.code} ${body.error!.rule}`))).toEqual(
      new Set(['quota_full women']),
    );
    expect(statusesOf(await Promise.all(men), 200)).toBe(20);
    expect(await countsOf(company.api, postId)).toEqual({
      women: [1, 0, 0],
      men: [20, 0, 0],
      all: [21, 0, 19],
    });
    await expectReconciled(company.api);
  });

  it('is taken once by one respondent who begins five times at once', async () => {
    const postId = await targetedSurvey(company, { quotas: [quota('women', WOMEN, 1)] });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => beginAs(platform, postId, 'ann', { gender: 'female' })),
    );
    expect(new Set(answers.map(({ body }) => body.data.participation_id)).size).toBe(1);
    expect(await countsOf(company.api, postId)).toEqual({ women: [1, 0, 0] });
  });

  it('is never taken beyond a limit that is lowered meanwhile', async () => {
    const postId = await targetedSurvey(company, { quotas: [quota('women', WOMEN, 30)] });
    const begins = Array.from({ length: 20 }, (_, n) =>
      beginAs(platform, postId, `woman ${n}`, { gender: 'female' }),
    );
    const changes = [15, 10, 5].map((limit) =>
      setTargeting(company.api, postId, { quotas: [quota('women', WOMEN, limit)] }),
    );
    const [answers, changed] = await Promise.all([Promise.all(begins), Promise.all(changes)]);
    const { women } = await countsOf(company.api, postId);
    const [taken, , remaining] = women!;
    expect(statusesOf(answers, 200)).toBe(taken);
    expect(remaining).toBeGreaterThanOrEqual(0);
    for (const { status, body } of changed) {
      expect([200, 'quota_below_taken']).toContain(status === 200 ? 200 : body.error!.code);
    }
    await expectReconciled(company.api);
  });
});

describe('two instances', () => {
  const instances = new Instances();
  let company: TestCompany;
  let platforms: Client[];
  let apis: Client[];

  afterAll(() => instances.drop());

  itOnPostgres('share the places of quotas, and the rules as they are', async () => {
    const database = await instances.database();
    const [one, two] = [await instances.start(database), await instances.start(database)];
    company = await registerCompany(one.client);
    const key = company.api.headers['x-api-key']!;
    apis = [company.api, two.client.withKey(key)];
    const platform = await platformClient({ dataSource: one.sql, client: one.client });
    platforms = [platform, two.client.withKey(platform.headers['x-api-key']!)];
    const postId = await targetedSurvey(company, {
      quotas: [quota('women', WOMEN, 7), quota('old', { age: [{ from: 50 }] }, 5)],
    });
    const places: { post_id: string; participation_id: string }[] = [];
    const work = async (n: number): Promise<void> => {
      const at = platforms[n % 2]!;
      const attributes = { gender: n % 3 === 0 ? 'male' : 'female', age: 40 + (n % 20) };
      const { status, body } = await beginAs(at, postId, `respondent ${n}`, attributes);
      if (status !== 200) {
        expect(body.error!.code).toBe('quota_full');
        return;
      }
      places.push(body.data);
      if (n % 4 === 0) {
        await platforms[(n + 1) % 2]!.post('/svc/fielding/abandon', {
          post_id: postId,
          participation_id: body.data.participation_id,
        });
      } else if (n % 4 === 1) {
        await submit(at, body.data, 9);
      }
    };
    for (let round = 0; round < 5; round += 1) {
      const limit = 7 + (round % 2);
      await Promise.all([
        ...Array.from({ length: 16 }, (_, n) => work(round * 16 + n)),
        setTargeting(apis[round % 2]!, postId, {
          quotas: [quota('women', WOMEN, limit), quota('old', { age: [{ from: 50 + round }] }, 5)],
        }),
      ]);
      await expectReconciled(apis[round % 2]!);
    }
    expect(places.length).toBeGreaterThan(7);
    // The other instance knows the new rules at once.
    await setTargeting(apis[0]!, postId, {
      screening: { all: [{ attribute: 'age', op: 'at_least', value: 99 }] },
    });
    const late = await beginAs(platforms[1]!, postId, 'late', { gender: 'female', age: 98 });
    expect(late.body.error).toMatchObject({ code: 'screened_out', rule: 'age at_least 99' });
  });
});
