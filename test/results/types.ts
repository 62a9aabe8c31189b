import { begun, liveQuestionnaire, ScoredAnswers, submit, submitAll } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { ratingSteps } from '../../src/insight/results/rating-steps.rules';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('the results of each type of question', () => {
  const platform = platformForAll();
  const company = companyForEach();

  /** The results of questions, after each value was given to the first one. */
  async function resultOf(question: object, values: unknown[], query?: string): Promise<any> {
    const post_id = await liveQuestionnaire(company, [{ question: 'Well?', ...question }]);
    await submitAll(
      platform,
      post_id,
      values.map((value): ScoredAnswers => [
        9,
        value === undefined ? [] : [{ question: 1, ...(value as object) }],
      ]),
    );
    const { questions } = await resultsOf(service.dataSource, company, post_id, query);
    return questions[0];
  }

  const valued = (...values: unknown[]) => values.map((value) => ({ value }));

  it('has the mean, the top two and a histogram of a rating', async () => {
    const scale = { min: 1, max: 5 };
    const found = await resultOf({ type: 'rating', key: 'taste', scale }, valued(5, 4, 4, 1));
    expect(found).toMatchObject({
      key: 'taste',
      asked: 4,
      answered: 4,
      not_shown: 0,
      mean: 3.5,
      standard_deviation: 1.732051,
      top_two: { count: 3, share: 0.75 },
    });
    expect(found.histogram.map(({ value, count }: any) => [value, count])).toEqual([
      [1, 1],
      [2, 0],
      [3, 0],
      [4, 2],
      [5, 1],
    ]);
    expect(found.interval[0]).toBeGreaterThan(1);
  });

  it('has the score and the groups of a net promoter score', async () => {
    const found = await resultOf({ type: 'nps' }, valued(10, 9, 9, 8, 6, 0));
    expect(found).toMatchObject({
      score: 16.666667,
      promoters: { count: 3, share: 0.5 },
      passives: { count: 1, share: 0.166667 },
      detractors: { count: 2, share: 0.333333 },
    });
    expect(found.histogram).toHaveLength(11);
    expect(found.histogram[9]).toEqual({ value: 9, count: 2 });
    expect(found.interval[0]).toBeLessThan(found.score);
  });

  it('has the mean and the quartiles of numbers', async () => {
    // R: quantile(c(-2.5, 0, 1, 3, 10))
    const found = await resultOf({ type: 'number', decimals: 1 }, valued(3, -2.5, 10, 0, 1));
    expect(found).toMatchObject({
      mean: 2.3,
      lower_quartile: 0,
      median: 1,
      upper_quartile: 3,
      exact: true,
    });
  });

  it('counts the dates of each period', async () => {
    const dates = valued('2026-11-27', '2026-11-27', '2025-01-01');
    expect(await resultOf({ type: 'date' }, dates)).toMatchObject({
      precision: 'day',
      periods: [
        { period: '2025-01-01', count: 1, share: 0.333333 },
        { period: '2026-11-27', count: 2, share: 0.666667 },
      ],
    });
  });

  it('has the mean ranks, first places and strengths of a ranking', async () => {
    const options = ['Taste', { text: 'The price', key: 'price' }, 'Smell'];
    const found = await resultOf({ type: 'ranking', options, rank_at_most: 2 }, [
      ...valued(['Taste', 'price'], ['Taste', 'price'], ['price', 'Taste'], ['Taste']),
    ]);
    expect(found.options).toMatchObject([
      { value: 'Taste', ranked: 4, mean_rank: 1.25, first: { count: 3, share: 0.75 }, rank: 1 },
      { value: 'price', text: 'The price', ranked: 3, mean_rank: 1.666667, rank: 2 },
      { value: 'Smell', ranked: 0, mean_rank: null, first: { count: 0, share: 0 }, rank: 3 },
    ]);
    const strengths = found.options.map(({ strength }: any) => strength);
    expect(strengths.reduce((sum: number, each: number) => sum + each, 0)).toBeCloseTo(1, 5);
  });

  it('counts the options of each row of a matrix', async () => {
    const rows = ['Taste', { text: 'The price', key: 'price' }];
    const question = { type: 'matrix', rows, options: ['Bad', 'Good'], several: true };
    const found = await resultOf(
      { ...question, required: false },
      valued({ Taste: ['Bad', 'Good'], price: ['Good'] }, { Taste: ['Good'] }),
    );
    expect(found.answered).toBe(2);
    expect(found.rows).toMatchObject([
      {
        value: 'Taste',
        answered: 2,
        options: [
          { value: 'Bad', count: 1 },
          { count: 2, share: 1 },
        ],
      },
      { value: 'price', text: 'The price', answered: 1, options: [{ count: 0 }, { count: 1 }] },
    ]);
  });

  it('rates each row of a matrix with a scale', async () => {
    const question = { type: 'matrix', rows: ['a', 'b'], scale: { min: -2, max: 2 } };
    const found = await resultOf(question, valued({ a: -2, b: 2 }, { a: 2, b: 1 }));
    expect(found.rows).toMatchObject([
      { value: 'a', answered: 2, mean: 0, top_two: { count: 1 } },
      { value: 'b', answered: 2, mean: 1.5, top_two: { count: 2 } },
    ]);
    expect(found.rows[0].histogram[0]).toEqual({ value: -2, count: 1 });
  });

  it('counts rows and options of the longest texts', async () => {
    const longest = (first: number) =>
      String.fromCodePoint(...Array.from({ length: 500 }, (_, at) => first + 37 * at));
    const [row, option] = [longest(0x20000), longest(0x20001)];
    const question = { type: 'matrix', rows: [row], options: [option, 'b'] };
    const found = await resultOf(question, valued({ [row]: option }));
    expect(found.rows).toMatchObject([{ value: row, options: [{ value: option, count: 1 }, {}] }]);
  });

  it('counts a box, texts of their own and comments', async () => {
    expect(await resultOf({ type: 'checkbox' }, valued(true, false, true))).toMatchObject({
      answered: 3,
      ticked: { count: 2, share: 0.666667 },
    });
    const options = ['Tea', { text: 'Other', key: 'other', other: true }];
    const choice = { type: 'single_choice', options, comment: true };
    const found = await resultOf(choice, [
      { value: 'other', other: 'Mate' },
      { value: 'Tea', comment: 'Always' },
      { value: 'Tea' },
    ]);
    expect(found).toMatchObject({ others: 1, comments: 1 });
    expect(found.options[1]).toMatchObject({ value: 'other', text: 'Other', count: 1 });
    expect(JSON.stringify(found)).not.toMatch(/Mate|Always/);
  });

  it('counts those to whom a question was not shown, with their weights and cohorts', async () => {
    const post_id = await liveQuestionnaire(company, [
      { type: 'statement', question: 'Welcome.' },
      { type: 'number', key: 'cups', question: 'How many cups?' },
      {
        type: 'nps',
        question: 'Would you recommend it?',
        required: false,
        show_if: { all: [{ question: 'cups', op: 'at_least', value: 1 }] },
      },
    ]);
    const cups = (value: number) => ({ question: 'cups', value });
    await submitAll(platform, post_id, [
      [9, [cups(0)]],
      [9, [cups(2), { question: 3, value: 10 }]],
      [1, [cups(1)]],
    ]);
    const { questions } = await resultsOf(service.dataSource, company, post_id);
    expect(questions).toMatchObject([
      { type: 'statement', asked: 3, not_shown: 0 },
      { asked: 3, not_shown: 0, answered: 3, mean: 1 },
      { asked: 2, not_shown: 1, answered: 1, score: 100 },
    ]);
    expect(questions[0]).not.toHaveProperty('answered');
    const only = (await resultsOf(service.dataSource, company, post_id, '?cohorts=5')).questions;
    expect(only).toMatchObject([{ asked: 2 }, { mean: 1 }, { asked: 1, not_shown: 1 }]);
    const weighted = '?weights=0.5,1,1,1,1';
    const [, number] = (await resultsOf(service.dataSource, company, post_id, weighted)).questions;
    expect(number).toMatchObject({ answered: 3, effective_size: 2.777778, mean: 1 });
  });

  it('has shares of those who were shown an option with conditions', async () => {
    const isCups = (op: string, value: number) => ({
      show_if: { all: [{ question: 'cups', op, value }] },
    });
    const milk = { text: 'Milk', ...isCups('at_least', 1) };
    const post_id = await liveQuestionnaire(company, [
      { type: 'number', key: 'cups', question: 'How many cups?' },
      { type: 'multiple_choice', question: 'With?', options: ['Sugar', milk], required: false },
      {
        type: 'matrix',
        question: 'How?',
        rows: ['At home', { text: 'At work', key: 'work', ...isCups('at_least', 2) }],
        options: ['Hot', 'Iced', { text: 'Cold', key: 'cold', ...isCups('at_least', 1) }],
      },
      { type: 'single_choice', question: 'Why?', options: [milk, { ...milk, text: 'Taste' }] },
    ]);
    const home = { question: 3, value: { 'At home': 'Hot' } };
    await submitAll(platform, post_id, [
      [9, [{ question: 1, value: 0 }, { question: 2, value: ['Sugar'] }, home]],
      [9, [{ question: 1, value: 1 }, { question: 2, value: ['Milk'] }, home, { question: 4, value: 'Milk' }]],
      [9, [{ question: 1, value: 2 }, { question: 3, value: { 'At home': 'cold', work: 'cold' } }, { question: 4, value: 'Taste' }]],
    ]); // prettier-ignore
    const { questions } = await resultsOf(service.dataSource, company, post_id);
    expect(questions[1]).toMatchObject({ asked: 3, answered: 2 });
    expect(questions[1].options).toMatchObject([
      { value: 'Sugar', count: 1, share: 0.5 },
      { value: 'Milk', offered: 1, count: 1, share: 1 },
    ]);
    expect(questions[1].options[0]).not.toHaveProperty('offered');
    expect(questions[2].rows).toMatchObject([
      { answered: 3, options: [{ count: 2, share: 0.666667 }, {}, { offered: 2, share: 0.5 }] },
      { value: 'work', answered: 1, options: [{ share: 0 }, {}, { offered: 1, share: 1 }] },
    ]);
    expect(questions[3]).toMatchObject({ asked: 2, not_shown: 1, answered: 2 });
  });

  it('counts more than 1,000 numbers, dates and rankings less finely', async () => {
    const post_id = await liveQuestionnaire(company, [
      { type: 'number', question: 'How much?' },
      { type: 'date', question: 'When?' },
      { type: 'ranking', question: 'In which order?', options: [...'abcdefg'] },
    ]);
    const answers = (n: number) => {
      const order = [...'abcdefg'];
      for (let left = 7, rest = n; left > 1; rest = Math.floor(rest / left), left -= 1) {
        order.push(...order.splice(rest % left, 1));
      }
      return [
        { question: 1, value: 10_001 + 7 * n },
        { question: 2, value: new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10) },
        { question: 3, value: order },
      ];
    };
    const part = await begun(platform, post_id, 'the first');
    await submit(platform, part, 9, answers(0));
    await copyResponse(post_id, 1_100, answers);
    const { questions } = await resultsOf(service.dataSource, company, post_id);
    const [number, date, ranking] = questions;
    expect(number).toMatchObject({ answered: 1_101, exact: false, mean: 10_001 + 7 * 550 });
    expect(Math.abs(number.median / (10_001 + 7 * 550) - 1)).toBeLessThan(0.005);
    expect(date.precision).toBe('month');
    expect(date.periods.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(1_101);
    expect(ranking.options[0].strength).toBeGreaterThan(0);
    const counts = await service.dataSource.query(
      `SELECT kind, count(*)::integer AS count FROM tally
       WHERE company_id = $1 AND kind IN ('value', 'date', 'order', 'coarse')
       GROUP BY kind ORDER BY kind`,
      [storedEnvironment(company.companyId)],
    );
    expect(counts[0]).toEqual({ kind: 'coarse', count: 3 });
    for (const { count } of counts) {
      expect(count).toBeLessThanOrEqual(1_000);
    }
    // What is taken out is found again.
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'the first' });
    const after = (await resultsOf(service.dataSource, company, post_id)).questions;
    expect(after[0]).toMatchObject({ answered: 1_100, exact: false, mean: 10_001 + 7 * 550.5 });
  });

  /** Adds copies of the only response of a campaign with other answers to what is folded. */
  async function copyResponse(postId: string, copies: number, answers: (n: number) => unknown[]) {
    await resultsOf(service.dataSource, company, postId);
    const companyId = storedEnvironment(company.companyId);
    const rows = await service.dataSource.query<{ id: string; campaign_id: string }[]>(
      `INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
         question_set_version, rewards, held, state, begun_at, expires_at, closed_at,
         attention_score, cohort, reward, submission, answers)
       SELECT company_id, campaign_id, lpad(n::text, 32, '0')::uuid, platform,
         sha256(n::text::bytea), question_set_version, rewards, held, state, begun_at, expires_at,
         closed_at, attention_score, cohort, reward, submission, a.answers
       FROM participation
       CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS a (answers, n)
       WHERE company_id = $1
       RETURNING participation_id AS id, campaign_id`,
      [companyId, Array.from({ length: copies }, (_, n) => JSON.stringify(answers(n + 1)))],
    );
    await service.dataSource.query('SELECT add_to_tally($1, $2, $3, false)', [
      companyId,
      rows.map(({ campaign_id }) => campaign_id),
      rows.map(({ id }) => id),
    ]);
  }
});

describe('the function rating_step', () => {
  it('makes the steps that results read', async () => {
    const scales = [
      { min: 0, max: 10, step: 1 },
      { min: 0, max: 100, step: 1 },
      { min: 0, max: 101, step: 1 },
      { min: -5, max: 5, step: 0.05 },
      { min: 0, max: 1_000, step: 0.01 },
    ];
    for (const scale of scales) {
      const [{ width }] = await service.dataSource.query<[{ width: string }]>(
        'SELECT rating_step($1::jsonb) AS width',
        [scale],
      );
      const [first, second] = ratingSteps(scale);
      expect(second! - first!).toBeCloseTo(Number(width), 9);
      expect(ratingSteps(scale).length).toBeLessThanOrEqual(101);
    }
  });
});
