import {
  choice,
  createAdvertisement,
  createImageSurvey,
  createSurvey,
  question,
} from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begun, liveQuestionnaire, liveSurvey, start, submit } from '../support/fielding';
import { companyForAll, companyForEach, platformForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { pagesOf } from '../support/pages';

describe('reading what respondents did', () => {
  const company = companyForEach();
  const platform = platformForAll();

  /** Returns every item of a list, page by page. */
  async function all(api: Client, path: string, limit = 2): Promise<any[]> {
    const separator = path.includes('?') ? '&' : '?';
    const pages = await pagesOf(api, `${path}${separator}limit=${limit}`);
    expect(pages.slice(0, -1).map(({ items }) => items)).not.toContainEqual([]);
    return pages.flatMap(({ items }) => items);
  }

  describe('GET /svc/fielding/list', () => {
    /** The newest campaigns, which are those of the test and of others before it. */
    const listed = async (query = '', count = 50) => {
      const path = `/svc/fielding/list?respondent_id=ann${query}&limit=${count}`;
      const { items } = (await platform.get(path)).data;
      return items.map(({ post_id }: any) => post_id);
    };

    /** Repeats an assertion about the list, which may be almost a second old. */
    const whenShown = <T>(assertion: () => Promise<T>) => eventually(assertion, { pause: 100 });

    it('lists the live campaigns of all companies that the respondent can begin', async () => {
      const other = await registerCompany(service.client);
      const mine = await liveSurvey(company, { reward_amount: 200 });
      const theirs = await liveSurvey(other);
      const { post_id: draft } = await createSurvey(company.api);
      await whenShown(async () => expect((await listed()).slice(0, 2)).toEqual([theirs, mine]));
      const { body } = await platform.get('/svc/fielding/list?respondent_id=ann&limit=2');
      expect(body.data.items).toEqual([
        expect.objectContaining({ post_id: theirs, maximum_reward: 100 }),
        {
          post_id: mine,
          type: 'survey',
          format: 'questionnaire',
          title: 'Coffee habits',
          description: 'How people drink their coffee.',
          category: 'food',
          tagline: 'Tell us about your cup',
          thumbnail_url: null,
          duration_seconds: null,
          currency: 'USD',
          maximum_reward: 200,
          ends_at: null,
        },
      ]);
      expect(await listed()).not.toContain(draft);
    });

    it('leaves out what was begun, what has no place left, and test campaigns', async () => {
      const post_id = await liveSurvey(company, { max_responses: 1 });
      const { body } = await company.account.post('/svc/api-key/generate', { mode: 'test' });
      const tested = await liveSurvey({ api: service.client.withKey(body.data.api_key) });
      const spent = await liveSurvey(company, { budget: 150 });
      await whenShown(async () =>
        expect(await listed()).toEqual(expect.arrayContaining([post_id, spent])),
      );
      await begun(platform, post_id, 'bob');
      await begun(platform, spent, 'bob');
      const begunByAnn = await liveSurvey(company);
      await begun(platform, begunByAnn, 'ann');
      const latest = await liveSurvey(company);
      await whenShown(async () => {
        const found = await listed();
        expect(found[0]).toBe(latest);
        for (const each of [post_id, spent, begunByAnn, tested]) {
          expect(found).not.toContain(each);
        }
      });
    });

    it('filters by type and pages through both types in one order', async () => {
      const survey = await liveSurvey(company);
      const { post_id: spot } = await createAdvertisement(company.api);
      await start(company.api, spot);
      const latest = await liveSurvey(company);
      await whenShown(async () =>
        expect((await listed()).slice(0, 3)).toEqual([latest, spot, survey]),
      );
      expect((await listed('&type=survey')).slice(0, 2)).toEqual([latest, survey]);
      expect((await listed('&type=advertisement'))[0]).toBe(spot);
      const path = '/svc/fielding/list?respondent_id=ann';
      const single = await pagesOf(platform, `${path}&limit=1`, 6);
      expect(single.map(({ items: [{ post_id }] }) => post_id)).toEqual(await listed('', 6));
      expect(await all(platform, path, 9)).toEqual(await all(platform, path, 100));
    });

    it('leaves out a campaign as soon as the respondent has begun it', async () => {
      const post_id = await liveSurvey(company);
      await whenShown(async () => expect((await listed())[0]).toBe(post_id));
      await begun(platform, post_id, 'ann');
      expect(await listed()).not.toContain(post_id);
    });

    it('refuses a cursor of another respondent and a missing respondent', async () => {
      await liveSurvey(company);
      await liveSurvey(company);
      const cursor = await whenShown(async () => {
        const { body } = await platform.get('/svc/fielding/list?respondent_id=ann&limit=1');
        expect(body.data.next_cursor).toEqual(expect.any(String));
        return body.data.next_cursor as string;
      });
      expectError(
        await platform.get(`/svc/fielding/list?respondent_id=bob&cursor=${cursor}`),
        400,
        'validation_failed',
        [expect.objectContaining({ field: 'cursor', code: 'cursor_mismatch' })],
      );
      expectInvalid(await platform.get('/svc/fielding/list'), { respondent_id: 'required' });
    });
  });

  describe('GET /svc/campaign/{post_id}/responses', () => {
    it('lists responses newest first, by filters, page by page', async () => {
      const { post_id } = await createSurvey(company.api);
      const question = { type: 'text', question: 'Why?' };
      const set = () =>
        company.api.post('/svc/survey/questions', { post_id, questions: [question] });
      await set();
      await start(company.api, post_id);
      const answers = [{ question: 1, value: 'Because' }];
      const scores = [1, 3, 5, 7, 9, 9.99];
      const submitted: string[] = [];
      for (const [index, score] of scores.entries()) {
        if (index === 3) {
          await set();
        }
        const begin = await begun(platform, post_id, `respondent ${index}`);
        await submit(platform, begin, score, answers);
        submitted.unshift(begin.participation_id);
      }
      await begun(platform, post_id, 'still open');
      const path = `/svc/campaign/${post_id}/responses`;
      const items = await all(company.api, path);
      expect(items.map(({ participation_id }) => participation_id)).toEqual(submitted);
      expect(items[0]).toEqual({
        participation_id: submitted[0],
        respondent: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
        question_id: expect.stringMatching(/^qset_/),
        version: 2,
        answers,
        attention_score: 9.99,
        cohort: 5,
        currency: 'USD',
        reward: 100,
        bonus: null,
        cohort_rewards: expect.objectContaining({ cohort_1_reward: 3, cohort_5_reward: 100 }),
        begun_at: expect.any(String),
        submitted_at: expect.any(String),
        reversed_at: null,
        reversal_reason: null,
        quality: expect.objectContaining({ flags: [] }),
      });
      const cohorts = async (query: string) =>
        (await all(company.api, `${path}?${query}`)).map(({ cohort }) => cohort);
      expect(await cohorts('cohort=5')).toEqual([5, 5]);
      expect(await cohorts('version=1')).toEqual([3, 2, 1]);
      expect(await cohorts('version=1&cohort=2')).toEqual([2]);
      const { submitted_at } = items[2];
      expect(await cohorts(`submitted_after=${submitted_at}`)).toEqual([5, 5]);
      expect(await cohorts(`submitted_before=${submitted_at}`)).toEqual([3, 2, 1]);
      expect(await cohorts('submitted_after=2099-01-01T00:00:00Z')).toEqual([]);
    });

    describe('with filters', () => {
      const asked = companyForAll();

      interface Answered {
        path: string;
        submitted: { participation_id: string; post_id: string }[];
      }
      /** What is only read. */
      let answered: Answered;

      /** A required single choice, a required multiple choice, an optional text, two matrices. */
      const GIVEN: [
        score: number,
        single: string,
        multiple: string[],
        text?: string,
        rated?: object,
        ticked?: object,
      ][] = [
        [1, 'light', ['milk'], '2', { taste: 7 }, { price: ['at dusk'] }],
        [
          5,
          'dark',
          ['milk', 'sugar'],
          'Caf\u00e9',
          { taste: 2, price: 7 },
          { taste: ['at dawn'], price: ['at dawn', 'at dusk'] },
        ],
        [5.01, 'dark', ['sugar'], 'milk'],
        [10, 'light', ['honey', 'sugar']],
      ];

      async function answeredBy(respondent: string): Promise<Answered> {
        const rows = ['taste', { text: 'Price', key: 'price' }];
        const questions = [
          choice(),
          choice({ type: 'multiple_choice', options: ['milk', 'sugar', 'honey'] }),
          question({ required: false }),
          { type: 'matrix', question: 'How good?', rows, scale: {}, required: false },
          {
            type: 'matrix',
            question: 'When?',
            rows,
            options: ['at dawn', 'at dusk'],
            several: true,
            required: false,
          },
        ];
        const post_id = await liveQuestionnaire(asked, questions);
        const submitted = [];
        for (const [index, [score, ...given]] of GIVEN.entries()) {
          const place = await begun(platform, post_id, `${respondent} ${index}`);
          const answers = given.map((value, at) => ({ question: at + 1, value }));
          expect((await submit(platform, place, score, answers)).status).toBe(200);
          submitted.push({ post_id, participation_id: place.participation_id });
        }
        return { path: `/svc/campaign/${post_id}/responses`, submitted };
      }

      beforeAll(async () => {
        answered = await answeredBy('reader');
      });

      /** The positions of the responses in the order in which they were submitted. */
      const positions = async (query: string, { path, submitted } = answered) => {
        const items = await all(asked.api, `${path}?${query}`, 1);
        const ids = submitted.map(({ participation_id }) => participation_id);
        return items.map(({ participation_id }) => ids.indexOf(participation_id)).toReversed();
      };

      it.each([
        ['question=1&answer=dark', [1, 2]],
        ['question=1&answer=Dark', []],
        ['question=2&answer=milk', [0, 1]],
        ['question=2&answer=sugar', [1, 2, 3]],
        ['answer=milk', [0, 1, 2]],
        ['question=3&answer=2', [0]],
        ['question=3&answer=Cafe%CC%81', [1]],
        ['question=3', [0, 1, 2]],
        ['question=1', [0, 1, 2, 3]],
        ['question=4&row=taste&answer=7', [0]],
        ['question=4&row=price&answer=7', [1]],
        ['question=4&answer=7', []],
        ['question=5&row=price&answer=at%20dusk', [0, 1]],
        ['question=5&row=price&answer=at%20dawn', [1]],
        ['question=6', []],
        ['question=1&answer=dark&attention_score_min=5.01', [2]],
        ['question=2&answer=sugar&attention_score_max=5.01&version=1', [1, 2]],
      ])('finds answers: %s', async (query, expected) => {
        expect(await positions(query)).toEqual(expected);
      });

      it.each([
        ['attention_score_min=5', [1, 2, 3]],
        ['attention_score_min=5.01', [2, 3]],
        ['attention_score_max=5', [0, 1]],
        ['attention_score_min=1.01&attention_score_max=9.99', [1, 2]],
        ['attention_score_min=6&attention_score_max=5', []],
        ['cohort=3&attention_score_max=5', [1]],
      ])('finds scores: %s', async (query, expected) => {
        expect(await positions(query)).toEqual(expected);
      });

      it('finds what was reversed, and what was not', async () => {
        const own = await answeredBy('reversed');
        await platform.post('/svc/fielding/reverse', { ...own.submitted[1]!, reason: 'A bot' });
        expect(await positions('reversed=true', own)).toEqual([1]);
        expect(await positions('reversed=false', own)).toEqual([0, 2, 3]);
        expect(await positions('reversed=true&question=1&answer=light', own)).toEqual([]);
      });

      it('finds no answers of an erased respondent, but the score', async () => {
        const own = await answeredBy('erased');
        await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'erased 1' });
        expect(await positions('question=1&answer=dark', own)).toEqual([2]);
        expect(await positions('attention_score_max=5', own)).toEqual([0, 1]);
      });

      it('refuses a cursor of other filters, and invalid ones', async () => {
        const { path } = answered;
        const { body } = await asked.api.get(`${path}?question=1&answer=light&limit=1`);
        const cursor = body.data.next_cursor;
        for (const query of [
          'question=1&answer=dark',
          'question=2&answer=light',
          'reversed=true',
        ]) {
          expectError(
            await asked.api.get(`${path}?${query}&cursor=${cursor}`),
            400,
            'validation_failed',
            [expect.objectContaining({ field: 'cursor', code: 'cursor_mismatch' })],
          );
        }
        expectInvalid(
          await asked.api.get(
            `${path}?attention_score_min=10.5&attention_score_max=1.005&reversed=yes` +
              `&question=0&answer=${'x'.repeat(501)}&limit=1001`,
          ),
          {
            attention_score_min: 'too_large',
            attention_score_max: 'too_precise',
            reversed: 'invalid_type',
            question: 'too_small',
            answer: 'too_long',
            limit: 'too_large',
          },
        );
      });
    });

    it('finds the answers to image surveys, whose one question is number 1', async () => {
      const { post_id } = await createImageSurvey(company.api, 'binary');
      await start(company.api, post_id);
      for (const [index, value] of [1, 2, 2].entries()) {
        const place = await begun(platform, post_id, `respondent ${index}`);
        await submit(platform, place, 5, [{ value }]);
      }
      for (const [query, expected] of [
        ['answer=1', 1],
        ['answer=2', 2],
        ['answer=2.0', 2],
        ['answer=x', 0],
        ['question=1', 3],
        ['question=1&answer=2', 2],
        ['question=2', 0],
        ['question=2&answer=2', 0],
      ] as const) {
        const found = await all(company.api, `/svc/campaign/${post_id}/responses?${query}`);
        expect([query, found.length]).toEqual([query, expected]);
      }
    });

    it('compares no more than 16 MiB of answers for a page', async () => {
      const post_id = await liveSurvey(company);
      const { participation_id } = await begun(platform, post_id, 'oldest');
      await submit(platform, { post_id, participation_id }, 5);
      for (const respondent of ['ann', 'bob', 'cleo']) {
        await submit(platform, await begun(platform, post_id, respondent), 5);
      }
      await service.dataSource.query(
        `UPDATE participation SET answers = '[{"question":1,"value":"' ||
           CASE WHEN participation_id = stored_id($2) THEN 'rare' ELSE repeat('x', 9 * 1024 * 1024) END
           || '"}]'
         WHERE company_id = $1`,
        [storedEnvironment(company.companyId), participation_id],
      );
      const path = `/svc/campaign/${post_id}/responses?answer=rare`;
      const first = (await company.api.get(path)).body.data;
      expect(first).toEqual({ items: [], next_cursor: expect.any(String) });
      const second = (await company.api.get(`${path}&cursor=${first.next_cursor}`)).body.data;
      expect(second.items).toMatchObject([{ participation_id }]);
      expect(second.next_cursor).toBeNull();
    });

    it('returns up to 1,000 responses on a page', async () => {
      const post_id = await liveSurvey(company);
      await begun(platform, post_id, 'first');
      await service.dataSource.query(
        `INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
           rewards, held, state, begun_at, expires_at, closed_at, attention_score, cohort, reward)
         SELECT p.company_id, p.campaign_id, lpad(n::text, 32, '0')::uuid, p.platform,
           sha256((p.participation_id::text || n)::bytea), p.rewards, p.held, 'submitted', p.begun_at,
           p.expires_at, p.begun_at, 9, 5, p.rewards[5]
         FROM participation AS p, generate_series(1, 1050) AS n WHERE p.company_id = $1`,
        [storedEnvironment(company.companyId)],
      );
      const path = `/svc/campaign/${post_id}/responses?limit=1000`;
      const { items, next_cursor } = (await company.api.get(path)).body.data;
      expect(items).toHaveLength(1_000);
      const rest = (await company.api.get(`${path}&cursor=${next_cursor}`)).body.data;
      expect([rest.items.length, rest.next_cursor]).toEqual([50, null]);
      const ids = [...items, ...rest.items].map(({ participation_id }: any) => participation_id);
      expect(new Set(ids).size).toBe(1_050);
    });

    it('returns the turn of a request whose path has no post_id', async () => {
      const post_id = await liveSurvey(company);
      for (let request = 0; request < 5; request += 1) {
        const answer = await company.api.get('/svc/campaign//responses');
        expectError(answer, 404, 'route_not_found');
      }
      const path = `/svc/campaign/${post_id}/responses`;
      expect((await company.api.get(path)).body.data).toEqual({ items: [], next_cursor: null });
    });

    it('gives a respondent unrelated names in two campaigns', async () => {
      const names = [];
      for (const post_id of [await liveSurvey(company), await liveSurvey(company)]) {
        await submit(platform, await begun(platform, post_id, 'ann'), 5);
        const [response] = await all(company.api, `/svc/campaign/${post_id}/responses`);
        names.push(response.respondent);
      }
      expect(new Set(names).size).toBe(2);
    });

    it('ends a page before its answers exceed 1 MiB', async () => {
      const questions = Array.from({ length: 100 }, (_, index) => ({
        type: 'descriptive',
        question: `Question ${index}?`,
      }));
      const post_id = await liveQuestionnaire(company, questions);
      const answers = questions.map((_, index) => ({
        question: index + 1,
        value: 'x'.repeat(5_000),
      }));
      for (const respondent of ['ann', 'bob', 'cleo']) {
        const begin = await begun(platform, post_id, respondent);
        expect((await submit(platform, begin, 5, answers)).status).toBe(200);
      }
      const path = `/svc/campaign/${post_id}/responses`;
      const { body } = await company.api.get(`${path}?limit=100`);
      expect(body.data.items).toHaveLength(2);
      expect(await all(company.api, path, 100)).toHaveLength(3);
    });
  });

  describe('the ledger', () => {
    it('lists every transfer, newest first', async () => {
      const post_id = await liveSurvey(company);
      const ann = await begun(platform, post_id, 'ann');
      await submit(platform, ann, 7);
      const { participation_id } = ann;
      await platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Bot' });
      const items = await all(company.api, '/svc/ledger/list', 1);
      const moves = items.map(({ kind, debit, credit, amount, released }) => [
        kind,
        debit,
        credit,
        amount,
        released,
      ]);
      expect(moves).toEqual([
        ['reverse', 'respondents', 'company', 80, 0],
        ['settle', 'held', 'respondents', 80, 20],
        ['hold', 'company', 'held', 100, 0],
      ]);
      expect(items[0]).toMatchObject({ post_id, participation_id });
      const { created_at } = items[2];
      const later = await all(company.api, `/svc/ledger/list?created_after=${created_at}`);
      expect(later).toHaveLength(2);
      const earlier = `/svc/ledger/list?created_before=${items[0].created_at}`;
      expect(await all(company.api, earlier)).toHaveLength(2);
    });

    it('lists the transfers of one campaign, newest first, page by page', async () => {
      const [post_id, other] = [await liveSurvey(company), await liveSurvey(company)];
      for (const [respondent, each] of [post_id, other, post_id].entries()) {
        await submit(platform, await begun(platform, each, `payee ${respondent}`), 7);
      }
      const everything = await all(company.api, '/svc/ledger/list', 100);
      const mine = everything.filter((item) => item.post_id === post_id);
      expect([everything.length, mine.length]).toEqual([6, 4]);
      const path = `/svc/ledger/list?post_id=${post_id}`;
      expect(await all(company.api, path, 2)).toEqual(mine);
      const { created_at } = mine.at(-1);
      expect(await all(company.api, `${path}&created_after=${created_at}`)).toEqual(
        mine.filter((item) => item.created_at > created_at),
      );
      for (const kind of ['hold', 'settle', 'release']) {
        const ofKind = (items: any[]) => items.filter((item) => item.kind === kind);
        expect(await all(company.api, `${path}&kind=${kind}`, 1)).toEqual(ofKind(mine));
        const ofAll = await all(company.api, `/svc/ledger/list?kind=${kind}`, 2);
        expect(ofAll).toEqual(ofKind(everything));
      }
      const exported = await company.api.get('/svc/ledger/export');
      expect(exported.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const [head = '', ...lines] = (exported.body as unknown as string).trimEnd().split('\r\n');
      const rows = lines.map((line) => {
        const cells = line.split(',').map((cell) => (/^[\d.]+$/.test(cell) ? Number(cell) : cell));
        return Object.fromEntries(head.split(',').map((name, index) => [name, cells[index]]));
      });
      expect(rows).toEqual(everything);
      const strangers = await company.api.get('/svc/ledger/export?post_id=post_unknown');
      expectError(strangers, 404, 'campaign_not_found');
      const { participation_id } = mine[0];
      const ofOne = `/svc/ledger/list?participation_id=${participation_id}`;
      const [settled, held] = mine.filter((item) => item.participation_id === participation_id);
      expect(await all(company.api, ofOne, 1)).toEqual([settled, held]);
      expect(await all(company.api, `${ofOne}&post_id=${post_id}&kind=hold`)).toEqual([held]);
      expect(await all(company.api, `${ofOne}&post_id=${other}`)).toEqual([]);
      expect(await all(company.api, '/svc/ledger/list?participation_id=part_x')).toEqual([]);
      const stranger = await registerCompany(service.client);
      expect(await all(stranger.api, ofOne)).toEqual([]);
      expectError(await stranger.api.get(path), 403, 'campaign_not_owned');
      expectError(
        await company.api.get('/svc/ledger/list?post_id=post_unknown'),
        404,
        'campaign_not_found',
      );
      const { body } = await company.api.get(`${path}&limit=1`);
      expectError(
        await company.api.get(`/svc/ledger/list?cursor=${body.data.next_cursor}`),
        400,
        'validation_failed',
        [expect.objectContaining({ field: 'cursor', code: 'cursor_mismatch' })],
      );
    });

    it('is exported for as many companies at once as there are', async () => {
      const companies = await Promise.all(
        Array.from({ length: 6 }, () => registerCompany(service.client)),
      );
      const files = await Promise.all(
        [...companies, ...companies].map(({ api }) => api.get('/svc/ledger/export')),
      );
      expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
    });

    it('names every record that was changed by hand', async () => {
      const post_id = await liveSurvey(company, { budget: 1000 });
      const ann = await begun(platform, post_id, 'ann');
      const bob = await begun(platform, post_id, 'bob');
      await submit(platform, ann, 7);
      const reconcile = async () => (await company.api.get('/svc/ledger/reconcile')).body.data;
      const change = (statement: string, parameters: unknown[]) =>
        tamper(service.dataSource, (session) => session.query(statement, parameters));
      expect(await reconcile()).toEqual({
        checked: 2,
        currency: 'USD',
        differences: [],
        next_cursor: null,
      });
      await change(
        `UPDATE transfer SET amount = 85 WHERE participation_id = stored_id($1) AND kind = 'settle'`,
        [ann.participation_id],
      );
      await change(
        'UPDATE transfer SET released = 15 WHERE participation_id = stored_id($1) AND released > 0',
        [ann.participation_id],
      );
      await change('DELETE FROM transfer WHERE participation_id = stored_id($1)', [
        bob.participation_id,
      ]);
      await change(
        `UPDATE campaign_progress
         SET taken = 3, answered = 2, held = 90, spent = 70, max_responses = 5, budget = 1500
         WHERE company_id = $1`,
        [storedEnvironment(company.companyId)],
      );
      const { checked, differences } = await reconcile();
      expect(checked).toBe(2);
      const found = differences.map((each: any) => [
        each.participation_id,
        each.field,
        each.expected,
        each.found,
      ]);
      expect(found.toSorted()).toEqual(
        [
          [ann.participation_id, 'settle', 80, 85],
          [ann.participation_id, 'release', 20, 15],
          [bob.participation_id, 'hold', 100, 0],
          [null, 'places_taken', 2, 3],
          [null, 'responses', 1, 2],
          [null, 'money_held', 100, 90],
          [null, 'money_spent', 80, 70],
          [null, 'max_responses', 0, 5],
          [null, 'budget', 1000, 1500],
        ].toSorted(),
      );
      expect(differences[0].post_id).toBe(post_id);
    });

    it('reads nothing of other companies', async () => {
      const post_id = await liveSurvey(company);
      await submit(platform, await begun(platform, post_id, 'ann'), 7);
      const other = await registerCompany(service.client);
      expect(await all(other.api, '/svc/ledger/list')).toEqual([]);
      expect((await other.api.get('/svc/ledger/reconcile')).body.data.checked).toBe(0);
    });
  });
});
