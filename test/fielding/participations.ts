import { question } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { begun, expire, liveSurvey, submit } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { pagesOf } from '../support/pages';

const read = (api: Client, id: string) => api.get(`/svc/fielding/participation/${id}`);

describe('reading participations', () => {
  const company = companyForEach();
  let platform: Client;
  let stranger: Client;

  beforeAll(async () => {
    platform = await platformClient(service, 'reader');
    stranger = await platformClient(service, 'stranger');
  });

  const testKeyOf = async ({ account }: TestCompany, scopes?: string[]) =>
    (await generateKey(account, service.client, { mode: 'test', scopes })).api;

  async function found(api: Client, id: string): Promise<any> {
    return (await read(api, id)).data;
  }

  describe('GET /svc/fielding/participation/{participation_id}', () => {
    it('returns what was promised while the participation is open', async () => {
      const post_id = await liveSurvey(company, { reward_amount: 200 });
      const place = await begun(platform, post_id, 'ann');
      await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 500 });
      expect(await found(platform, place.participation_id)).toEqual({
        post_id,
        participation_id: place.participation_id,
        status: 'open',
        begun_at: place.begun_at,
        expires_at: place.expires_at,
        closed_at: null,
        attention_score: null,
        cohort: null,
        currency: 'USD',
        reward: null,
        bonus: null,
        reversed_at: null,
        reversal_reason: null,
        question_id: null,
        cohort_rewards: place.cohort_rewards,
        maximum_reward: 200,
        quality: null,
        receipt: null,
      });
    });

    it('returns the receipt that the submission returned, also after a reversal', async () => {
      const post_id = await liveSurvey(company);
      await company.api.post('/svc/survey/questions', { post_id, questions: [question()] });
      const place = await begun(platform, post_id, 'ann');
      const submitted = await submit(platform, place, 7.25, [{ question: 1, value: 'Arabica' }]);
      const { participation_id } = place;
      const paid = await found(platform, participation_id);
      expect(paid).toMatchObject({
        status: 'submitted',
        closed_at: expect.stringMatching(/^20/),
        attention_score: 7.25,
        cohort: 4,
        reward: 80,
        question_id: expect.stringMatching(/^qset_/),
        receipt: submitted.body.data.receipt,
      });
      const reason = 'A bot';
      const reversed = await platform.post('/svc/fielding/reverse', {
        post_id,
        participation_id,
        reason,
      });
      expect(await found(platform, participation_id)).toEqual({
        ...paid,
        status: 'reversed',
        reversed_at: reversed.body.data.reversed_at,
        reversal_reason: reason,
      });
    });

    it('closes what ran out at its expires_at, before and after that is stored', async () => {
      const post_id = await liveSurvey(company);
      const { participation_id } = await begun(platform, post_id, 'ann');
      await expire(service.dataSource, participation_id);
      const over = await found(platform, participation_id);
      expect(over).toMatchObject({ status: 'expired', closed_at: over.expires_at });
      // The next respondent's beginning stores it.
      await company.api.patch('/svc/campaign/update', { post_id, max_responses: 1 });
      await begun(platform, post_id, 'bob');
      expect(await found(platform, participation_id)).toEqual(over);
    });

    it('finds no participation of another platform, as if there were none', async () => {
      const { participation_id } = await begun(platform, await liveSurvey(company), 'ann');
      const strange = await read(stranger, participation_id);
      expectError(strange, 404, 'participation_not_found');
      const unknown = await read(stranger, 'part_01k9x2v8zdf3xbz0q4v5rk6t7m');
      const { request_id: _, ...error } = strange.body.error!;
      expect(unknown.body.error).toMatchObject(error);
      expectInvalid(await read(platform, 'x'.repeat(101)), { participation_id: 'too_long' });
    });

    it('is for the test key of the company whose test campaign it is, and no other', async () => {
      const tester = await testKeyOf(company);
      const { participation_id } = await begun(tester, await liveSurvey({ api: tester }), 'ann');
      expect(await found(tester, participation_id)).toMatchObject({ status: 'open' });
      const other = await testKeyOf(await registerCompany(service.client));
      for (const api of [other, platform]) {
        expectError(await read(api, participation_id), 404, 'participation_not_found');
      }
      const live = await begun(platform, await liveSurvey(company), 'ann');
      expectError(await read(tester, live.participation_id), 404, 'participation_not_found');
      const writer = await testKeyOf(company, ['campaigns:write']);
      for (const api of [company.api, writer]) {
        expectError(await read(api, participation_id), 403, 'insufficient_scope');
      }
    });
  });

  describe('GET /svc/fielding/respondent', () => {
    const path = (respondent: string, query = '') =>
      `/svc/fielding/respondent?respondent_id=${respondent}${query}`;

    /** Every page. */
    const pages = (api: Client, respondent: string, limit: number) =>
      pagesOf(api, path(respondent, `&limit=${limit}`));

    it('returns participations with all companies, newest campaign first, and the earnings', async () => {
      const other = await registerCompany(service.client, { currency: 'EUR' });
      const campaigns: string[] = [];
      for (const owner of [company, other, company, other, company]) {
        campaigns.push(await liveSurvey(owner));
      }
      const ids = new Map<string, string>();
      // Neither the order of the beginnings nor that of the companies is that of the campaigns.
      for (const index of [3, 0, 4, 1, 2]) {
        const { participation_id } = await begun(platform, campaigns[index]!, 'earner');
        ids.set(campaigns[index]!, participation_id);
      }
      const place = (index: number) => ({
        post_id: campaigns[index]!,
        participation_id: ids.get(campaigns[index]!)!,
      });
      await submit(platform, place(0), 9);
      await submit(platform, place(1), 7);
      await submit(platform, place(2), 5);
      await platform.post('/svc/fielding/reverse', { ...place(2), reason: 'A bot' });
      await platform.post('/svc/fielding/abandon', place(3));
      await begun(platform, campaigns[0]!, 'another respondent');

      const all = await pages(platform, 'earner', 2);
      expect(all.map(({ items }) => items.length)).toEqual([2, 2, 1]);
      expect(all.map(({ earnings }) => earnings)).toEqual([
        {
          amounts: [
            { currency: 'EUR', earned: 80, reversed: 0, held: 0 },
            { currency: 'USD', earned: 100, reversed: 60, held: 100 },
          ],
          participations: 5,
          is_complete: true,
        },
        null,
        null,
      ]);
      const items = all.flatMap((page) => page.items);
      const shown = items.map(({ post_id, participation_id, status, currency, reward }) => [
        { post_id, participation_id },
        status,
        currency,
        reward,
      ]);
      expect(shown).toEqual([
        [place(4), 'open', 'USD', null],
        [place(3), 'abandoned', 'EUR', null],
        [place(2), 'reversed', 'USD', 60],
        [place(1), 'submitted', 'EUR', 80],
        [place(0), 'submitted', 'USD', 100],
      ]);
      const single = await found(platform, place(2).participation_id);
      expect(single).toMatchObject(items[2]);
      const more = Object.keys(single).filter((name) => !(name in items[2]));
      expect(more).toEqual(['question_id', 'cohort_rewards', 'maximum_reward', 'receipt']);
    });

    it('holds nothing for what ran out, before that is stored', async () => {
      const { participation_id } = await begun(platform, await liveSurvey(company), 'late');
      await expire(service.dataSource, participation_id);
      const [page] = await pages(platform, 'late', 20);
      expect([page.items[0].status, page.earnings.amounts[0].held]).toEqual(['expired', 0]);
    });

    it("has nothing of other platforms' respondents, test data, and the erased, whose amounts stay", async () => {
      const post_id = await liveSurvey(company);
      const tester = await testKeyOf(company);
      const place = await begun(platform, post_id, 'shared name');
      const trial = await begun(tester, await liveSurvey({ api: tester }), 'shared name');
      const idsOf = async (api: Client) =>
        (await pages(api, 'shared name', 20)).flatMap(({ items }) =>
          items.map(({ participation_id }: any) => participation_id),
        );
      expect(await idsOf(platform)).toEqual([place.participation_id]);
      expect(await idsOf(tester)).toEqual([trial.participation_id]);
      const other = await testKeyOf(await registerCompany(service.client));
      for (const api of [stranger, other]) {
        expect((await api.get(path('shared name'))).body.data).toEqual({
          earnings: { amounts: [], participations: 0, is_complete: true },
          items: [],
          next_cursor: null,
        });
      }
      const { receipt } = (await submit(platform, place, 9)).data;
      await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'shared name' });
      const amounts = { status: 'submitted', reward: 100, receipt };
      expect(await found(platform, place.participation_id)).toMatchObject(amounts);
      expect(await idsOf(platform)).toEqual([]);
      expect(await idsOf(tester)).toEqual([trial.participation_id]);
    });

    it('refuses a cursor of another respondent, and a missing respondent', async () => {
      await begun(platform, await liveSurvey(company), 'paged');
      await begun(platform, await liveSurvey(company), 'paged');
      const [{ next_cursor }] = await pages(platform, 'paged', 1);
      for (const api of [platform, stranger]) {
        const respondent = api === platform ? 'somebody' : 'paged';
        expectError(
          await api.get(path(respondent, `&cursor=${next_cursor}`)),
          400,
          'validation_failed',
          [expect.objectContaining({ field: 'cursor', code: 'cursor_mismatch' })],
        );
      }
      expectInvalid(await platform.get('/svc/fielding/respondent'), { respondent_id: 'required' });
    });
  });
});
