import {
  createAdvertisement,
  createImageSurvey,
  createSurvey,
  question,
} from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { begin, begun, expectReconciled, liveSurvey, start, submit } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { pagesOf } from '../support/pages';

describe('a test key', () => {
  const company = companyForEach();
  let tester: Client;
  let stranger: Client;
  let platform: Client;

  const testKeyOf = async ({ account }: TestCompany, scopes?: string[]): Promise<Client> =>
    (await generateKey(account, service.client, { mode: 'test', scopes })).api;

  beforeEach(async () => {
    tester = await testKeyOf(company);
    stranger = await testKeyOf(await registerCompany(service.client));
    platform = await platformClient(service);
  });

  /** What a respondent can begin, page by page. */
  async function listed(api: Client, query: string): Promise<string[]> {
    const pages = await pagesOf(api, `/svc/fielding/list?limit=2&${query}`);
    return pages.flatMap(({ items }) => items.map(({ post_id }: any) => post_id));
  }

  it('lists the live test campaigns of its company, newest first, that are left to begin', async () => {
    const made = [
      await createSurvey(tester),
      await createAdvertisement(tester),
      await createImageSurvey(tester, 'slider'),
      await createImageSurvey(tester, 'binary'),
      await createImageSurvey(tester, 'round-robin'),
      await createSurvey(tester, { max_responses: 1 }),
      await createSurvey(tester, { budget: 150 }),
    ].map(({ post_id }) => post_id);
    for (const post_id of made) {
      await start(tester, post_id);
    }
    await createSurvey(tester);
    await liveSurvey(company);
    await liveSurvey({ api: stranger });
    const newest = made.toReversed();
    expect(await listed(tester, 'respondent_id=ann')).toEqual(newest);
    expect(await listed(tester, 'respondent_id=ann&type=advertisement')).toEqual([made[1]]);
    expect(await listed(tester, 'respondent_id=ann&type=survey')).toEqual(
      newest.filter((post_id) => post_id !== made[1]),
    );
    await begun(tester, made[0]!, 'ann');
    await begun(tester, made[5]!, 'bob');
    await begun(tester, made[6]!, 'bob');
    expect(await listed(tester, 'respondent_id=ann')).toEqual(newest.slice(2, -1));
    const reader = await testKeyOf(company, ['campaigns:read']);
    expect(await listed(reader, 'respondent_id=bob')).toEqual(newest.slice(2));
  });

  it('reverses a reward of its own campaign', async () => {
    const post_id = await liveSurvey({ api: tester });
    const place = await begun(tester, post_id, 'ann');
    await submit(tester, place, 9);
    const { participation_id } = place;
    const request = { post_id, participation_id, reason: 'A trial' };
    const { body } = await tester.post('/svc/fielding/reverse', request);
    expect(body.data).toMatchObject({ status: 'reversed', reward: 100, reason: 'A trial' });
    await expectReconciled(tester);
  });

  it('erases respondents of its own company, and of no other caller', async () => {
    const post_id = await liveSurvey({ api: tester }, { max_responses: 2 });
    const questions = [question()];
    await tester.post('/svc/survey/questions', { post_id, questions });
    const place = await begun(tester, post_id, 'carl');
    await submit(tester, place, 9, [{ question: 1, value: 'Arabica' }]);
    const erase = async (api: Client) =>
      (await api.post('/svc/fielding/erase-respondent', { respondent_id: 'carl' })).body.data;
    for (const other of [stranger, platform]) {
      expect(await erase(other)).toEqual({ participations: 0 });
    }
    const responses = async () =>
      (await tester.get(`/svc/campaign/${post_id}/responses`)).body.data.items;
    expect(await responses()).toMatchObject([{ answers: [{ value: 'Arabica' }] }]);
    expect(await erase(tester)).toEqual({ participations: 1 });
    expect(await responses()).toMatchObject([{ respondent: null, answers: [], reward: 100 }]);
    expect((await begin(tester, post_id, 'carl')).body.data.participation_id).not.toBe(
      place.participation_id,
    );
  });
});
