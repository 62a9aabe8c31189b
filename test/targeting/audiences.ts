import {
  Begun,
  begin,
  begun,
  expectReconciled,
  expire,
  liveQuestionnaire,
  liveSurvey,
  submit,
} from '../support/fielding';
import { companyForAll, companyForEach, platformForAll } from '../support/fixtures';
import { Client, registerCompany } from '../support/client';
import { createSurvey, survey } from '../support/builders';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { setTargeting, targetedSurvey } from '../support/targeting';
import { tamper } from '../support/tampering';
import { earlier } from '../support/earlier';
import { eventually } from '../support/eventually';
import { generateKey } from '../support/keys';
import { roundsOf } from '../support/thorough';

/** Begins a campaign, and returns the rule that refuses, or `begun`. */
async function attempt(api: Client, postId: string, who: string): Promise<string> {
  const { status, body } = await begin(api, postId, who);
  if (status === 200) {
    return 'begun';
  }
  expect([status, body.error!.code]).toEqual([422, 'screened_out']);
  return body.error!.rule!;
}

/** Lets days pass since a respondent has begun campaigns. */
const pass = (participationId: string, days: number) =>
  tamper(service.dataSource, (session) =>
    session.query(
      `UPDATE participation SET ${earlier("$1::integer * interval '24 hours'", 'begun_at')}
       WHERE participation_id = stored_id($2)`,
      [days, participationId],
    ),
  );

describe('a campaign for those who have done something before', () => {
  const company = companyForEach();
  const platform = platformForAll();
  let first: string;
  let other: string;

  beforeEach(async () => {
    first = await liveSurvey(company);
    other = await liveSurvey(company);
  });

  const paid = async (postId: string, who: string, score = 9) => {
    const place = await begun(platform, postId, who);
    expect((await submit(platform, place, score)).status).toBe(200);
    return place;
  };
  const abandon = ({ post_id, participation_id }: Begun) =>
    platform.post('/svc/fielding/abandon', { post_id, participation_id });

  it('excludes who has begun one of some campaigns, whatever came of it', async () => {
    const postId = await targetedSurvey(company, { exclude: { campaigns: [first] } });
    await paid(first, 'ann');
    await abandon(await begun(platform, first, 'bea'));
    await begun(platform, other, 'cleo');
    expect(await attempt(platform, postId, 'ann')).toBe('exclude');
    expect(await attempt(platform, postId, 'bea')).toBe('exclude');
    expect(await attempt(platform, postId, 'cleo')).toBe('begun');
    const all = await targetedSurvey(company, { exclude: { campaigns: 'all' } });
    expect(await attempt(platform, all, 'cleo')).toBe('exclude');
    expect(await attempt(platform, all, 'dora')).toBe('begun');
    await paid(first, 'dora');
    expect(await attempt(platform, all, 'dora')).toBe('begun');
    await eventually(async () => {
      const { data } = await company.api.get(`/svc/campaign/${postId}/quotas`);
      expect(data.screened_out).toEqual([{ rule: 'exclude', refused: 2 }]);
    });
    await expectReconciled(company.api);
  });

  it('excludes only those who have begun within some days', async () => {
    const postId = await targetedSurvey(company, {
      exclude: { campaigns: [first], within_days: 30 },
    });
    const { participation_id } = await paid(first, 'ann');
    await pass(participation_id, 29);
    expect(await attempt(platform, postId, 'ann')).toBe('exclude');
    await pass(participation_id, 1);
    expect(await attempt(platform, postId, 'ann')).toBe('begun');
  });

  it('includes only those whom a campaign has paid, in some cohorts', async () => {
    const postId = await targetedSurvey(company, { include: { campaign: first, cohorts: [4, 5] } });
    const any = await targetedSurvey(company, { include: { campaign: first } });
    await paid(first, 'ann', 9);
    await paid(first, 'bea', 2);
    await begun(platform, first, 'cleo');
    const { post_id, participation_id } = await paid(first, 'dora');
    await platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'x' });
    await paid(other, 'eva');
    const attempts = async (to: string) =>
      Promise.all(['ann', 'bea', 'cleo', 'dora', 'eva'].map((who) => attempt(platform, to, who)));
    expect(await attempts(postId)).toEqual(['begun', 'include', 'include', 'include', 'include']);
    expect(await attempts(any)).toEqual(['begun', 'begun', 'include', 'include', 'include']);
  });

  it('includes only those whose answers meet conditions', async () => {
    const asking = await liveQuestionnaire(company, [
      { type: 'single_choice', question: 'Cups', options: ['One', 'Two'], key: 'cups' },
      { type: 'multiple_choice', question: 'Where', options: ['Home', 'Work'] },
    ]);
    const answering = async (who: string, cups: string, where: string[]) =>
      submit(platform, await begun(platform, asking, who), 9, [
        { question: 1, value: cups },
        { question: 2, value: where },
      ]);
    await answering('ann', 'One', ['Home', 'Work']);
    await answering('bea', 'One', ['Home']);
    await answering('cleo', 'Two', ['Work']);
    const attempts = async (answered: object) => {
      const postId = await targetedSurvey(company, { include: { campaign: asking, answered } });
      return Promise.all(
        ['ann', 'bea', 'cleo', 'dora'].map((who) => attempt(platform, postId, who)),
      );
    };
    const cups = { question: 'cups', op: 'is', value: 'One' };
    const where = { question: 'q2', op: 'includes', value: 'Work' };
    expect(await attempts({ all: [cups, where] })).toEqual([
      'begun',
      'include',
      'include',
      'include',
    ]);
    expect(await attempts({ any: [cups, where] })).toEqual(['begun', 'begun', 'begun', 'include']);
    const { post_id } = await createSurvey(company.api);
    const refused = (answered: object, campaign = asking) =>
      setTargeting(company.api, post_id, { include: { campaign, answered } });
    expectInvalid(await refused({ all: [cups, { ...cups, value: 'Three' }] }), {
      'include.answered.all[1].value': 'not_allowed',
    });
    expectInvalid(
      await refused({
        any: [
          { ...where, question: 'q3' },
          { ...where, op: 'is' },
        ],
      }),
      {
        'include.answered.any[0].question': 'not_allowed',
        'include.answered.any[1].op': 'not_allowed',
      },
    );
    expectInvalid(await refused({ all: [cups] }, first), {
      'include.answered.all[0].question': 'not_allowed',
    });
    expectInvalid(await refused({}), { 'include.answered': 'not_allowed' });
  });

  it('asks those who have few responses to the campaigns of the company', async () => {
    const postId = await targetedSurvey(company, { at_most: { responses: 2, per_days: 7 } });
    const { participation_id } = await paid(first, 'ann');
    const open = await begun(platform, other, 'ann');
    expect(await attempt(platform, postId, 'ann')).toBe('at_most');
    await pass(participation_id, 7);
    expect(await attempt(platform, postId, 'ann')).toBe('begun');
    await begun(platform, first, 'bea');
    await abandon(await begun(platform, other, 'bea'));
    expect(await attempt(platform, postId, 'bea')).toBe('begun');
    await begun(platform, first, 'cleo');
    const over = await begun(platform, other, 'cleo');
    await expire(service.dataSource, over.participation_id);
    expect(await attempt(platform, postId, 'cleo')).toBe('begun');
    expect(open.status).toBe('open');
  });

  it('forgets whom an erasure has erased', async () => {
    const excluding = await targetedSurvey(company, { exclude: { campaigns: 'all' } });
    const including = await targetedSurvey(company, { include: { campaign: first } });
    await paid(first, 'ann');
    expect(await attempt(platform, excluding, 'ann')).toBe('exclude');
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'ann' });
    expect(await attempt(platform, including, 'ann')).toBe('include');
    expect(await attempt(platform, excluding, 'ann')).toBe('begun');
  });

  it("knows nothing of another platform's respondent of the same name", async () => {
    const rules = [
      { exclude: { campaigns: 'all' } },
      { at_most: { responses: 1, per_days: 9 } },
      { include: { campaign: first } },
    ];
    await paid(first, 'ann');
    const answers = [];
    for (const [index, each] of rules.entries()) {
      const stranger = await platformClient(service, `panel-${index}`);
      const postId = await targetedSurvey(company, each);
      const known = await attempt(platform, postId, 'ann');
      const [same, unknown] = [
        await begin(stranger, postId, 'ann'),
        await begin(stranger, postId, 'nobody'),
      ];
      const shape = ({ status, body }: typeof same) => [status, body.error?.code, body.error?.rule];
      expect(shape(same)).toEqual(shape(unknown));
      answers.push([known, same.status]);
    }
    expect(answers).toEqual([
      ['exclude', 200],
      ['at_most', 200],
      ['begun', 422],
    ]);
  });

  it('agrees with the list, for a test key', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const own = { api };
    const [one, two] = [await liveSurvey(own), await liveSurvey(own)];
    const rules = [
      { exclude: { campaigns: 'all' } },
      { exclude: { campaigns: [one], within_days: 5 } },
      { include: { campaign: one, cohorts: [5] } },
      { include: { campaign: two } },
      { at_most: { responses: 1, per_days: 5 } },
      { at_most: { responses: 2, per_days: 5 }, exclude: { campaigns: [two] } },
    ];
    const posts: string[] = [];
    for (const each of rules) {
      posts.push(await targetedSurvey(own, each));
    }
    const histories: ((who: string) => Promise<unknown>)[] = [
      () => Promise.resolve(),
      async (who) => submit(api, await begun(api, one, who), 9),
      async (who) => submit(api, await begun(api, two, who), 1),
      async (who) => pass((await begun(api, one, who)).participation_id, 6),
      async (who) => expire(service.dataSource, (await begun(api, two, who)).participation_id),
      async (who) => {
        await begun(api, one, who);
        await submit(api, await begun(api, two, who), 9);
      },
    ];
    const results = new Set<string>();
    for (const [index, history] of histories.entries()) {
      const who = `respondent ${index}`;
      await history(who);
      const { items } = (await api.get(`/svc/fielding/list?respondent_id=respondent+${index}`))
        .data;
      const listed = posts.filter((id) => items.some(({ post_id }: any) => post_id === id));
      const begins: string[] = [];
      for (const postId of posts) {
        // Each with the history of the list: what is begun here is taken back.
        const result = await attempt(api, postId, who);
        results.add(result);
        if (result === 'begun') {
          begins.push(postId);
          await tamper(service.dataSource, (session) =>
            session.query(
              `UPDATE participation SET respondent = NULL WHERE state = 'open' AND campaign_id =
                 (SELECT id FROM campaign WHERE post_id = $1)`,
              [postId],
            ),
          );
        }
      }
      expect([index, begins]).toEqual([index, listed]);
    }
    expect([...results].sort()).toEqual(['at_most', 'begun', 'exclude', 'include']);
  });
});

describe('two campaigns that a respondent begins at once', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it.each(Array.from({ length: roundsOf(10) }, (_, round) => round))(
    'see each other, whoever is first (round %i)',
    async (round) => {
      const posts: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        posts.push(
          await targetedSurvey(company, {
            ...(round % 2 === 0
              ? { exclude: { campaigns: 'all', within_days: 1 } }
              : { at_most: { responses: 2, per_days: 1 } }),
          }),
        );
      }
      const people = Array.from({ length: 5 }, (_, n) => `${round} ${n}`);
      const results = await Promise.all(
        people.map((who) => Promise.all(posts.map((postId) => attempt(platform, postId, who)))),
      );
      for (const each of results) {
        expect(each.filter((result) => result === 'begun')).toHaveLength(round % 2 === 0 ? 1 : 2);
      }
      await expectReconciled(company.api);
    },
  );
});

describe('the campaigns that an audience names', () => {
  const company = companyForAll();
  let postId: string;
  let other: string;

  beforeAll(async () => {
    ({ post_id: postId } = await createSurvey(company.api));
    ({ post_id: other } = await createSurvey(company.api));
  });

  const set = (fields: Record<string, unknown>) => setTargeting(company.api, postId, fields);

  it('are stored as they were sent, and copied by a duplicate', async () => {
    const rules = {
      exclude: { campaigns: [other], within_days: 30 },
      include: { campaign: other, cohorts: [5, 4] },
      at_most: { responses: 3, per_days: 7 },
    };
    expect((await set(rules)).data).toMatchObject(rules);
    const copy = await company.api.post('/svc/campaign/duplicate', { post_id: postId });
    const { data } = await company.api.get(`/svc/campaign/${copy.data.post_id}/targeting`);
    expect(data).toMatchObject(rules);
  });

  it('are given in a document, which changes nothing a second time', async () => {
    const document = survey({ type: 'survey', external_ref: 'audience' });
    const apply = (targeting: unknown, fields = {}) =>
      company.api.put('/svc/campaign/apply', { ...document, ...fields, targeting });
    const rules = {
      attributes: [],
      exclude: { campaigns: [other] },
      include: { campaign: postId },
    };
    const applied = await apply(rules);
    expect(applied.data).toMatchObject({ result: 'created' });
    expect((await apply(rules)).data).toMatchObject({ result: 'unchanged' });
    const { post_id } = applied.data;
    const itself = { attributes: [], exclude: { campaigns: [other, post_id] } };
    const wrong = { 'targeting.exclude.campaigns[1]': 'not_allowed' };
    expectInvalid(await apply(itself), wrong);
    expectInvalid(await apply(itself, { dry_run: true }), wrong);
  });

  it('are campaigns of the company, and not the campaign itself', async () => {
    const stranger = await registerCompany(service.client);
    const { post_id: foreign } = await createSurvey(stranger.api);
    const detail = (field: string) => ({
      field,
      code: 'not_allowed',
      message: `${field} must be the post_id of a campaign of yours.`,
    });
    expectInvalid(await set({ exclude: { campaigns: [other, postId] } }), {
      'exclude.campaigns[1]': 'not_allowed',
    });
    expectInvalid(await set({ include: { campaign: postId } }), {
      'include.campaign': 'not_allowed',
    });
    expectError(
      await set({ exclude: { campaigns: [other, 'post_unknown'] } }),
      404,
      'campaign_not_found',
      [detail('exclude.campaigns[1]')],
    );
    expectError(await set({ include: { campaign: foreign } }), 403, 'campaign_not_owned', [
      detail('include.campaign'),
    ]);
  });
});
