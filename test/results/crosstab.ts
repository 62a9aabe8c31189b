import fc from 'fast-check';
import type { Question } from '../../src/campaigns/questions/question.types';
import { ratingSteps } from '../../src/insight/results/rating-steps.rules';
import { newcombe } from '../../src/platform/statistics/difference.rules';
import { choice } from '../support/builders';
import { QUESTIONS as EVERY_TYPE } from '../support/every-type';
import { begun, liveQuestionnaire, ScoredAnswers, submit, submitAll } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { answersFrom, questionSets } from '../support/question-sets';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { THOROUGH } from '../support/thorough';
import { beginAs, MEN, quota, setTargeting, WOMEN } from '../support/targeting';

/** The answer to a question of a response, as the list of responses shows it. */
const valueIn = ({ answers }: any, position: number) =>
  answers.find(({ question }: any) => question === position)?.value;

const identity = (option: any): string =>
  typeof option === 'string' ? option : (option.key ?? option.text);

/** What of a table a plain reader finds an answer in; numbers and dates by the table itself. */
function valuesOf(question: any, value: any): string[] {
  switch (question.type) {
    case 'multiple_choice':
      return value;
    case 'nps':
      return [value <= 6 ? 'detractors' : value <= 8 ? 'passives' : 'promoters'];
    case 'rating':
      return [String(ratingSteps(question.scale).findLast((step) => step <= value + 1e-9))];
    default:
      return [String(value)];
  }
}

const NOT_ROWS = ['descriptive', 'text', 'statement', 'ranking'];
const COLUMNS = ['single_choice', 'multiple_choice', 'nps', 'rating', 'checkbox'];

describe('a cross tab', () => {
  const platform = platformForAll();
  const company = companyForEach();

  const crosstab = async (post_id: string, query: Record<string, string>) =>
    company.api.get(`/svc/campaign/${post_id}/results/crosstab?${new URLSearchParams(query)}`);

  const table = async (post_id: string, query: Record<string, string>) => {
    const { status, body } = await crosstab(post_id, query);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  };

  const SMOKING = [
    choice({ question: 'Do you smoke?', key: 'smoke', options: ['yes', 'no'] }),
    choice({ question: 'Which group?', key: 'group', options: ['a', 'b'], required: false }),
  ];

  it("has Newcombe's interval and marks small bases", async () => {
    const post_id = await liveQuestionnaire(company, SMOKING);
    const people = (group: string | undefined, yes: number, all: number) =>
      Array.from({ length: all }, (_, n): ScoredAnswers => [
        9,
        [
          { question: 1, value: n < yes ? 'yes' : 'no' },
          ...(group === undefined ? [] : [{ question: 2, value: group }]),
        ],
      ]);
    await submitAll(platform, post_id, [...people('a', 9, 10), ...people('b', 3, 10)]);
    const found = await table(post_id, { rows: 'smoke', columns: 'group' });
    expect(found).toMatchObject({
      columns_by: 'question',
      question: { question: 1, key: 'smoke', type: 'single_choice' },
      column_question: { question: 2, key: 'group' },
      answered: 20,
      without_column: 0,
      overlapping: false,
      behind: 0,
    });
    expect(found.columns).toMatchObject([
      { letter: 'A', value: 'a', answered: 10, small_base: true },
      { letter: 'B', value: 'b', answered: 10, small_base: true },
    ]);
    const [yes] = found.rows;
    expect(yes.total).toMatchObject({ count: 12, share: 0.6 });
    // R. G. Newcombe, Statistics in Medicine 17 (1998), 873–890, table II: 9/10 less 3/10.
    const [low, high] = yes.cells[0].difference_interval;
    expect(low).toBeCloseTo(0.1705, 4);
    expect(high).toBeCloseTo(0.809, 4);
    expect(yes.cells[0]).toMatchObject({
      count: 9,
      share: 0.9,
      difference: 0.6,
      p_value: null,
      higher_than: [],
    });
  });

  it('marks with letters which columns differ, and leaves out those who are in none', async () => {
    const post_id = await liveQuestionnaire(company, SMOKING);
    const all = Array.from({ length: 70 }, (_, n): ScoredAnswers => {
      const group = n < 30 ? 'a' : n < 65 ? 'b' : undefined;
      const answer = group === 'a' ? n % 10 > 0 : n % 10 < 2;
      return [
        9,
        [
          { question: 1, value: answer ? 'yes' : 'no' },
          ...(group === undefined ? [] : [{ question: 2, value: group }]),
        ],
      ];
    });
    await submitAll(platform, post_id, all);
    const found = await table(post_id, { rows: '1', columns: '2' });
    expect(found).toMatchObject({ answered: 70, without_column: 5 });
    expect(found.rows[0].cells.map(({ higher_than }: any) => higher_than)).toEqual([['B'], []]);
    expect(found.rows[1].cells.map(({ higher_than }: any) => higher_than)).toEqual([[], ['A']]);
    expect(found.rows[0].cells[0].p_value).toBeLessThan(0.001);
    const [low, high] = newcombe({ successes: 27, n: 30 }, { successes: 8, n: 40 });
    expect(found.rows[0].cells[0].difference_interval[0]).toBeCloseTo(low, 6);
    expect(found.rows[0].cells[0].difference_interval[1]).toBeCloseTo(high, 6);
  });

  it('says why a table is not possible', async () => {
    const post_id = await liveQuestionnaire(company, [
      ...SMOKING,
      { type: 'text', question: 'Why?' },
      { type: 'number', question: 'How many?' },
      { type: 'matrix', question: 'How?', rows: ['x'], options: ['good', 'bad'] },
      choice({ question: 'Which?', options: Array.from({ length: 27 }, (_, n) => `${n}`) }),
    ]);
    const refusals: [Record<string, string>, string, string][] = [
      [{ rows: 'why', columns: 'group' }, 'rows', 'rows must name a question of this version.'],
      [{ rows: '3', columns: 'group' }, 'rows', 'rows must not name a question of type text.'],
      [{ rows: '5', columns: 'group' }, 'row', 'row must be one of the rows of the matrix.'],
      [{ rows: '1', row: 'x', columns: 'group' }, 'row', 'row is only for a matrix.'],
      ...['4', '6'].map((columns): [Record<string, string>, string, string] => [
        { rows: '1', columns },
        'columns',
        'columns must name a choice, a rating, an nps or a checkbox with at most 26 answers.',
      ]),
    ];
    for (const [query, field, message] of refusals) {
      const refused = await crosstab(post_id, query);
      const details = [{ field, code: 'not_allowed', message }];
      expectError(refused, 422, 'crosstab_not_possible', details);
    }
    expectError(await crosstab(post_id, { rows: '1', columns: 'cell:x' }), 404, 'quota_not_found');
    const version = await crosstab(post_id, { rows: '1', columns: 'group', version: '2' });
    expectError(version, 404, 'question_set_not_found');
  });

  const QUOTAS = [quota('women', WOMEN, 90), quota('men', MEN, 90)];

  /** What every table of a campaign has, counted from its responses as the API shows them. */
  async function expectTables(post_id: string, questions: any[], kept: readonly string[]) {
    const responses: any[] = [];
    for (let cursor = ''; ;) {
      const { data } = await company.api.get(
        `/svc/campaign/${post_id}/responses?limit=100&reversed=false${cursor}`,
      );
      responses.push(...data.items.filter(({ answers }: any) => answers !== null));
      if (data.next_cursor === null) {
        break;
      }
      cursor = `&cursor=${data.next_cursor}`;
    }
    const results = (await company.api.get(`/svc/campaign/${post_id}/results`)).data;
    let [cells, banners] = [0, 0];
    for (const [index, question] of questions.entries()) {
      if (NOT_ROWS.includes(question.type)) {
        continue;
      }
      const rows = question.key ?? `q${index + 1}`;
      const matrixRows = question.rows ?? [undefined];
      const row = matrixRows[index % matrixRows.length];
      const about: Record<string, string> =
        row === undefined ? { rows } : { rows, row: identity(row) };
      const answerTo = (each: any) => {
        const value = valueIn(each, index + 1);
        return row === undefined ? value : value?.[identity(row)];
      };
      const columnQuestions = [...questions.entries()].filter(([, { type }]) =>
        COLUMNS.includes(type),
      );
      const [at, columnQuestion] = columnQuestions[(7 * index) % columnQuestions.length] ?? [];
      const kinds: [string, (each: any) => string[]][] = [
        ['cohort', ({ cohort }) => [String(cohort)]],
        ...(columnQuestion === undefined
          ? []
          : ([
              [
                String(at! + 1),
                (each: any) => {
                  const value = valueIn(each, at! + 1);
                  return value === undefined ? [] : valuesOf(columnQuestion, value);
                },
              ],
            ] as [string, (each: any) => string[]][])),
      ];
      for (const [columns, columnsOf] of kinds) {
        const found = await table(post_id, { ...about, columns });
        const answered = responses.filter((each) => answerTo(each) !== undefined);
        expect(found.answered).toBe(answered.length);
        const isKept = kept.includes(columnQuestion?.key ?? `q${at! + 1}`);
        expect(found.is_banner).toBe(columns !== 'cohort' && isKept);
        banners += found.is_banner ? 1 : 0;
        const inNone = answered.filter((each) => columnsOf(each).length === 0);
        expect(found.without_column).toBe(inNone.length);
        for (const [column, { value, answered: base }] of found.columns.entries()) {
          const inside = answered.filter((each) => columnsOf(each).includes(value));
          expect(base).toBe(inside.length);
          if (row !== undefined || ['number', 'date'].includes(question.type)) {
            continue;
          }
          for (const each of found.rows) {
            const given = inside.filter((one) =>
              valuesOf(question, answerTo(one)).includes(each.value),
            );
            expect(each.cells[column].count).toBe(given.length);
            cells += given.length;
          }
        }
        const single = results.questions[index];
        const parts: any[] = row === undefined ? [single] : single.rows;
        const options = parts.find(
          ({ value }: any) => row === undefined || value === identity(row),
        ).options;
        for (const [place, each] of found.rows.entries()) {
          const { total, without_column, cells: inRow } = each;
          if (!found.overlapping) {
            const sum = inRow.reduce((all: number, { count }: any) => all + count, 0);
            expect(sum + without_column).toBe(total.count);
          }
          if (options !== undefined) {
            const { count, share, interval } = options[place];
            expect(total).toEqual({ count, share, interval });
          }
        }
        if (question.type === 'number') {
          const counts = single.histogram.map(({ count }: any) => count);
          expect(found.rows.map(({ total }: any) => total.count)).toEqual(counts);
        }
        if (question.type === 'date') {
          const counts = single.periods.map(({ count }: any) => count);
          expect(found.rows.map(({ total }: any) => total.count)).toEqual(counts);
        }
      }
    }
    return { cells, banners };
  }

  const answerAll = async (post_id: string, seeds: readonly number[], from: number) => {
    const parts: any[] = [];
    for (const [n, seed] of seeds.entries()) {
      const who = `${post_id} ${from + n}`;
      const attributes = { gender: ['female', 'male', 'other'][n % 3], age: 30 };
      const { data } = await beginAs(platform, post_id, who, attributes);
      const answers = answersFrom(data.content.questions, seed);
      expect((await submit(platform, data, (seed % 101) / 10, answers)).status).toBe(200);
      parts.push({ ...data, who });
    }
    return parts;
  };

  const takeOut = async (post_id: string, reversed: any, erased: any) => {
    const { participation_id } = reversed;
    await platform.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Fraud' });
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: erased.who });
  };

  /** Declares banners, and returns their keys. */
  const declare = async (post_id: string, keys: readonly string[]) => {
    const banners = keys.length === 0 ? null : keys.slice(0, 5);
    const { status } = await company.api.patch('/svc/campaign/update', { post_id, banners });
    expect(status).toBe(200);
    await company.api.get(`/svc/campaign/${post_id}/results`);
  };

  /** Completes the tabulations of all campaigns, as the background work does. */
  const completeTabulations = async () => {
    for (;;) {
      const [found] = await service.dataSource.query<any[]>(
        `SELECT fill_tabulation(company_id, campaign_id, number) FROM tabulation
         WHERE removed OR filled_seq < after_seq LIMIT 1`,
      );
      if (found === undefined) {
        return;
      }
    }
  };

  it('equals a plain count, and its margins the single results, with and without banners, also after reversals and erasures', async () => {
    let [cells, banners] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        questionSets(9),
        fc.array(fc.nat(1_000), { minLength: 8, maxLength: 16 }),
        fc.nat(7),
        async (questions, seeds, taken) => {
          const post_id = await liveQuestionnaire(company, questions);
          await setTargeting(company.api, post_id, { quotas: QUOTAS });
          const keys = [...questions.entries()]
            .filter(([, { type }]) => COLUMNS.includes(type))
            .map(([index, { key }]) => key ?? `q${index + 1}`);
          const [before, after] = [keys.slice(0, taken % 3), keys.slice(taken % 2)];
          await declare(post_id, before);
          const parts = await answerAll(post_id, seeds, 0);
          cells += (await expectTables(post_id, questions, before)).cells;
          await declare(post_id, after);
          // Before the tabulations are complete, and after that.
          parts.push(...(await answerAll(post_id, seeds.slice(0, 4), seeds.length)));
          await takeOut(post_id, parts[taken % 4], parts[parts.length - 1 - (taken % 4)]);
          await completeTabulations();
          await takeOut(post_id, parts[4 + (taken % 2)], parts[6 + (taken % 2)]);
          const found = await expectTables(post_id, questions, after.slice(0, 5));
          cells += found.cells;
          banners += found.banners;
        },
      ),
      {
        numRuns: THOROUGH ? 12 : 3,
        examples: [
          [EVERY_TYPE as unknown as Question[], Array.from({ length: 16 }, (_, n) => 67 * n), 2],
        ],
      },
    );
    expect(cells).toBeGreaterThan(100);
    expect(banners).toBeGreaterThan(2);
  }, 60_000);

  it('has the responses of a quota and of platforms', async () => {
    const post_id = await liveQuestionnaire(company, SMOKING);
    await setTargeting(company.api, post_id, { quotas: QUOTAS });
    for (let n = 0; n < 6; n += 1) {
      const { data } = await beginAs(platform, post_id, `${post_id} ${n}`, {
        gender: n < 4 ? 'female' : 'male',
        age: 30,
      });
      await submit(platform, data, 9, [{ question: 1, value: n % 2 === 0 ? 'yes' : 'no' }]);
    }
    const found = await table(post_id, { rows: 'smoke', columns: 'cell:women' });
    expect(found.columns).toMatchObject([
      { value: 'women', answered: 4 },
      { value: 'other', answered: 2 },
    ]);
    expect(found.rows[0].cells).toMatchObject([{ count: 2 }, { count: 1 }]);
    const platforms = await table(post_id, { rows: 'smoke', columns: 'platform' });
    expect(platforms.columns).toMatchObject([{ answered: 6 }]);
  });

  it('has the versions of a question, each where it was at its time', async () => {
    const post_id = await liveQuestionnaire(company, SMOKING);
    await submitAll(platform, post_id, [[9, [{ question: 1, value: 'yes' }]]]);
    await company.api.post('/svc/survey/questions', {
      post_id,
      questions: [{ type: 'statement', question: 'Hello' }, ...SMOKING],
    });
    const place = await begun(platform, post_id, `${post_id} later`);
    await submit(platform, place, 9, [{ question: 2, value: 'no' }]);
    const found = await table(post_id, { rows: 'smoke', columns: 'version' });
    expect(found.columns).toMatchObject([
      { value: '1', answered: 1 },
      { value: '2', answered: 1 },
    ]);
    expect(found.rows.map(({ cells }: any) => cells.map(({ count }: any) => count))).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});
