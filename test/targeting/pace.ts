import { begin, begun, expectReconciled } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { beginAs, quota, setTargeting, targetedSurvey, WOMEN } from '../support/targeting';
import { eventually } from '../support/eventually';
import type { Answer } from '../support/client';

/** Expects a refusal, and returns the seconds to wait. */
function expectPaced({ status, body, headers }: Answer): number {
  expect([status, body.error!.code]).toEqual([422, 'pace_reached']);
  return Number(headers.get('retry-after'));
}

describe('the pace of a campaign', () => {
  const company = companyForAll();
  const platform = platformForAll();

  /** Lets minutes pass since those who have begun. */
  const pass = (postId: string, minutes: number) =>
    tamper(service.dataSource, (session) =>
      session.query(
        `UPDATE begin_pace SET minute = minute - $1 WHERE campaign_id =
           (SELECT id FROM campaign WHERE post_id = $2)`,
        [minutes, postId],
      ),
    );
  const paceOf = async (postId: string) =>
    (await company.api.get(`/svc/campaign/${postId}/quotas`)).data.pace;

  it('refuses who would begin too soon, and says when to try again', async () => {
    const postId = await targetedSurvey(company, { at_most_per_hour: 2 });
    const ann = await begun(platform, postId, 'ann');
    await pass(postId, 20);
    await begun(platform, postId, 'bea');
    const seconds = expectPaced(await begin(platform, postId, 'cleo'));
    expect(seconds).toBeGreaterThan(39 * 60);
    expect(seconds).toBeLessThanOrEqual(41 * 60);
    expect(await begun(platform, postId, 'ann')).toEqual(ann);
    await eventually(async () => {
      expect(await paceOf(postId)).toEqual({ at_most_per_hour: 2, begun: 2, refused: 1 });
    });
    // A minute can end at any time.
    await pass(postId, 39);
    expectPaced(await begin(platform, postId, 'cleo'));
    await pass(postId, 2);
    expect((await begin(platform, postId, 'cleo')).status).toBe(200);
    expectPaced(await begin(platform, postId, 'dora'));
    await pass(postId, 1_000);
    expect(await paceOf(postId)).toMatchObject({ begun: 0 });
    expect((await begin(platform, postId, 'dora')).status).toBe(200);
    expect(await paceOf(postId)).toMatchObject({ begun: 1 });
    await expectReconciled(company.api);
  });

  it('lets exactly as many begin of 30 at once, each of whom can try again', async () => {
    const postId = await targetedSurvey(company, { at_most_per_hour: 7 });
    const keyed = platform.with({ 'idempotency-key': `${postId}-paced` });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => begin(platform, postId, `respondent ${n}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expectPaced(await begin(keyed, postId, 'late'));
    await pass(postId, 61);
    expect((await begin(keyed, postId, 'late')).status).toBe(200);
  });

  it('counts those who begin only, and can change at any time', async () => {
    const quotas = [quota('women', WOMEN, 1)];
    const postId = await targetedSurvey(company, { quotas, at_most_per_hour: 3 });
    const asWoman = (who: string) => beginAs(platform, postId, who, { gender: 'female' });
    expect((await asWoman('ann')).status).toBe(200);
    expect((await asWoman('bea')).body.error!.code).toBe('quota_full');
    expect(await paceOf(postId)).toMatchObject({ begun: 1 });
    await setTargeting(company.api, postId, { quotas, at_most_per_hour: 1 });
    expectPaced(await begin(platform, postId, 'cleo'));
    await setTargeting(company.api, postId, { quotas });
    expect(await paceOf(postId)).toBeNull();
    expect((await begin(platform, postId, 'cleo')).status).toBe(200);
  });

  it('refuses made-up respondents too', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const post_id = await targetedSurvey({ api }, { at_most_per_hour: 3 });
    const { data } = await api.post('/svc/campaign/simulate', {
      post_id,
      seed: 1,
      respondents: 5,
    });
    expect(data).toMatchObject({ begun: 3, refused: [{ code: 'pace_reached', count: 2 }] });
  });

  it('leaves the campaign out of the list while nobody can begin it', async () => {
    const postId = await targetedSurvey(company, { at_most_per_hour: 1 });
    const isListed = async () => {
      const { items } = (await platform.get('/svc/fielding/list?respondent_id=zoe&limit=100')).data;
      return items.some(({ post_id }: { post_id: string }) => post_id === postId);
    };
    await eventually(async () => {
      expect(await isListed()).toBe(true);
    });
    await begun(platform, postId, 'ann');
    await eventually(async () => {
      expect(await isListed()).toBe(false);
    });
  });
});
