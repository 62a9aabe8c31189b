import { createImageSurvey, createSurvey, images } from '../support/builders';
import { eventually } from '../support/eventually';
import { QUESTIONS } from '../support/every-type';
import {
  begun,
  liveQuestionnaire,
  liveSurvey,
  ScoredAnswers,
  start,
  submit,
  submitAll,
} from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { createGuardrail, spent, untilGuardrailsRead } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { answersFrom } from '../support/question-sets';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { beginAs, MEN, quota, targetedSurvey, WOMEN } from '../support/targeting';
import type { Question } from '../../src/campaigns/questions/question.types';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const KB = 1_000;

/** Each type, and the other kinds of a matrix. */
const ALL_TYPES = [
  ...QUESTIONS,
  { type: 'matrix', question: 'Which?', rows: ['1', '2'], options: ['x', 'y', 'z'], several: true },
  { type: 'matrix', question: 'How much?', rows: ['1', '2'], scale: { min: 1, max: 5 } },
] as unknown as Question[];

describe('the results page', () => {
  const platform = platformForAll();
  const company = companyForEach();

  async function respond(postId: string, ...responses: ScoredAnswers[]) {
    await submitAll(platform, postId, responses);
    // All of them are counted from here on.
    await resultsOf(service.dataSource, company, postId);
  }

  const questionnaire = (questions: unknown[], fields = {}) =>
    liveQuestionnaire(company, questions, fields);

  async function open(post_id: string, fields = {}, api = company.api) {
    const { body } = await api.post('/svc/campaign/results-link', { post_id, ...fields });
    const response = await fetch(body.data.url);
    expect(response.status).toBe(200);
    return { headers: response.headers, html: await response.text() };
  }

  /** The rows of all tables, each as its cells. */
  const rowsOf = (html: string): string[][] =>
    [...html.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row]) =>
      [...row!.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) =>
        cell!.replaceAll(/<[^>]*>/g, '').trim(),
      ),
    );

  const QUESTION = { type: 'single_choice', question: 'How often?', options: ['Daily', 'Never'] };

  it('shows how far the quotas are, if there are any', async () => {
    const post_id = await targetedSurvey(company, {
      quotas: [quota('women & <girls>', WOMEN, 1_200), quota('men', MEN, 3)],
    });
    for (const who of ['a', 'b']) {
      const part = await beginAs(platform, post_id, `${post_id} ${who}`, { gender: 'female' });
      if (who === 'a') {
        await submit(platform, part.data, 9);
      }
    }
    const { html } = await open(post_id);
    const rows = rowsOf(html);
    expect(rows).toContainEqual(['Quota', 'Limit', 'Taken', 'Submitted']);
    expect(rows).toContainEqual(['women &amp; &lt;girls>', '1,200', '2', '1']);
    expect(rows).toContainEqual(['men', '3', '0', '0']);
    expect((await open(await liveSurvey(company))).html).not.toContain('Quota');
  });

  it('shows each question with its shares and intervals, and no text that was typed', async () => {
    const post_id = await questionnaire([
      QUESTION,
      { type: 'multiple_choice', question: 'Which?', options: ['x', 'y'], required: false },
      { type: 'text', question: 'Favourite bean?' },
    ]);
    const text = { question: 3, value: 'Xylophone' };
    const { html } = await (async () => {
      await respond(
        post_id,
        [9, [{ question: 1, value: 'Daily' }, { question: 2, value: ['x', 'y'] }, text]],
        [9, [{ question: 1, value: 'Daily' }, { question: 2, value: ['x'] }, text]],
        [5, [{ question: 1, value: 'Never' }, text]],
      );
      return open(post_id);
    })();
    const rows = rowsOf(html);
    expect(rows).toContainEqual(['Daily', '2', '66.7%', '20.8% to 93.9%']);
    expect(rows).toContainEqual(['Never', '1', '33.3%', '6.1% to 79.2%']);
    expect(rows).toContainEqual(['x', '2', '100.0%', '34.2% to 100.0%']);
    expect(rows).toContainEqual(['5: 8 to 10', '200.00 USD', '2', '66.7%', '20.8% to 93.9%']);
    expect(html).toContain('<h1 dir="auto">Coffee habits</h1>');
    expect(html).toContain('3. Favourite bean?');
    expect(html).not.toContain('Xylophone');
    expect(html).not.toContain('Test data');
  });

  it('says how well the answers are known that complete the campaign', async () => {
    const question = { type: 'rating', question: 'How?', key: 'how', scale: { min: 1, max: 5 } };
    const post_id = await liveQuestionnaire(company, [question], { max_responses: 1_000 });
    await createGuardrail(company.api, {
      name: 'Known',
      post_id,
      when: { all: [{ metric: 'interval_width', question: 'how', op: 'lt', value: 1.6 }] },
      then: 'complete',
    });
    const read = async () =>
      (await company.api.get(`/svc/campaign/${post_id}/results`)).body.data.stop_when;
    const answer = async (respondent: string) => {
      const part = await begun(platform, post_id, `${post_id} ${respondent}`);
      const answers = [{ question: 1, value: 4 }];
      expect((await submit(platform, part, 9, answers)).status).toBe(200);
      await untilGuardrailsRead(service.dataSource, company.companyId);
    };
    await answer('first');
    const known = { question: 'how', option: null, row: null, quota: null, width: 1.6 };
    expect(await read()).toMatchObject([
      { name: 'Known', known: [{ ...known, confidence: 0.95, responses: 1 }], reached: null },
    ]);
    const before = (await open(post_id)).html;
    expect(before).toMatch(
      /Ends when it is known to ±0.8: after 1 answer, the mean of how is known/,
    );
    for (let respondent = 1; (await read())[0].reached === null; respondent++) {
      await answer(String(respondent));
    }
    const [{ reached, known: precisions }] = await read();
    expect(reached).toMatchObject({ stopped: true });
    const [{ interval, responses }] = precisions;
    expect(interval[1] - interval[0]).toBeLessThan(1.6);
    expect([interval[0] < 4, interval[1] > 4]).toEqual([true, true]);
    const half = Number(((interval[1] - interval[0]) / 2).toFixed(2));
    expect((await open(post_id)).html).toContain(
      `Stopped at ${responses} of 1,000: the mean of how is known to ±${half}.`,
    );
  });

  it('shows where guardrails have fired, as a line and as a sentence', async () => {
    const post_id = await questionnaire([QUESTION]);
    const when = { all: [spent(150)] };
    await createGuardrail(company.api, { post_id, name: 'Too <dear', when });
    await createGuardrail(company.api, { name: 'For all', then: 'notify', when });
    const quiet = await liveSurvey(company);
    const answers = [{ question: 1, value: 'Daily' }];
    await respond(post_id, [9, answers]);
    expect((await open(post_id)).html).not.toContain('guardrail');
    const part = await begun(platform, post_id, 'the last one');
    await submit(platform, part, 9, answers);
    await eventually(async () => {
      const { items } = (await company.api.get('/svc/guardrail/list')).body.data;
      expect(items.map(({ fired }: any) => fired?.post_id)).toEqual([post_id, post_id]);
    });
    await resultsOf(service.dataSource, company, post_id);
    const { html } = await open(post_id);
    const sentences = [...html.matchAll(/The guardrail[^]*?<\/p>/g)].map(([sentence]) =>
      sentence
        .replaceAll(/<time [^>]*>|<\/time>|<\/p>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
    const moment = /\d+ \w{3} \d{4}, \d\d:\d\d UTC\.$/.source;
    expect(sentences).toEqual([
      expect.stringMatching(
        `^The guardrail <q dir="auto">Too &lt;dear</q> stopped the campaign on ${moment}`,
      ),
      expect.stringMatching(`^The guardrail <q dir="auto">For all</q> fired on ${moment}`),
    ]);
    expect(/<path class="line" d="([^"]*)"/.exec(html)![1]).toMatch(/^(M[\d.]+ 0V100){2}$/);
    expect((await open(quiet)).html).not.toContain('guardrail');
  });

  it('is shown whatever the stored URL of an image is', async () => {
    const { post_id } = await createImageSurvey(company.api, 'binary');
    await service.dataSource.query(
      `UPDATE campaign SET image_survey =
         jsonb_set(image_survey, '{images,0,url}', '"https://\u00c3\u00a8.example/x.png"')
       WHERE company_id = $1 AND post_id = $2`,
      [storedEnvironment(company.companyId), post_id],
    );
    await resultsOf(service.dataSource, company, post_id);
    const { headers, html } = await open(post_id);
    expect(html).toContain('<h1');
    expect(headers.get('content-security-policy')).not.toContain('\u00a8');
  });

  it('counts the cohorts of its link', async () => {
    const post_id = await questionnaire([QUESTION]);
    await respond(
      post_id,
      [9, [{ question: 1, value: 'Daily' }]],
      [1, [{ question: 1, value: 'Never' }]],
    );
    const { html } = await open(post_id, { cohorts: [4, 5] });
    expect(rowsOf(html)).toContainEqual(['Never', '0', '0.0%', '0.0% to 79.3%']);
    expect(html).toContain('of responses in cohorts 4 and 5 only');
  });

  it('says which numbers leave out responses from before the first questions', async () => {
    const post_id = await liveSurvey(company);
    await respond(post_id, [9, []]);
    expect((await open(post_id)).html).not.toContain('to version');
    const questions = [QUESTION];
    await company.api.post('/svc/survey/questions', { post_id, questions });
    await resultsOf(service.dataSource, company, post_id);
    const { html } = await open(post_id);
    expect(html).toContain('These are the responses to version 1 of the questions.');
    expect(rowsOf(html)).toContainEqual([
      'Reversed, of the responses to version 1: not counted, and the reward is taken back',
      '0',
    ]);
  });

  it('says so of no campaign that has newer responses than the log', async () => {
    const post_id = await questionnaire([QUESTION]);
    await respond(post_id, [9, [{ question: 1, value: 'Daily' }]]);
    await service.dataSource.query(
      `UPDATE campaign_progress SET taken = taken + 1, answered = answered + 1
       WHERE company_id = $1 AND campaign_id = (
         SELECT id FROM campaign WHERE company_id = $1 AND post_id = $2
       )`,
      [storedEnvironment(company.companyId), post_id],
    );
    const { html } = await open(post_id);
    expect(rowsOf(html)).toContainEqual(['Submitted', '2']);
    expect(html).not.toContain('to version');
  });

  it('escapes every text of a campaign', async () => {
    const bad = `<img src=x onerror=alert(1)>&"'`;
    const post_id = await questionnaire(
      [{ type: 'single_choice', question: `Q${bad}`, options: [`A${bad}`, 'B'] }],
      Object.fromEntries(
        ['title', 'tagline', 'description', 'category'].map((name) => [name, `${name}${bad}`]),
      ),
    );
    await respond(post_id, [9, [{ question: 1, value: `A${bad}` }]]);
    const { html } = await open(post_id);
    expect(html).not.toContain('<img');
    const escaped = "&lt;img src=x onerror=alert(1)>&amp;&quot;'";
    const times = (text: string) => html.split(text).length - 1;
    expect(times(escaped)).toBeGreaterThanOrEqual(7);
    expect(times(escaped)).toBe(times('onerror'));
  });

  it('cannot run scripts, load from elsewhere, be indexed or be cached', async () => {
    const post_id = await liveSurvey(company);
    const { headers, html } = await open(post_id);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; base-uri/,
      ),
    });
    expect(html).not.toMatch(/<script|style="|javascript:/);
  });

  it('names just the hosts of the pictures in its policy, and gives them no referrer', async () => {
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      images: [
        { url: 'https://one.example/a.png', label: 'The first' },
        { url: 'https://one.example/b.png' },
        { url: 'http://two.example:8080/c.png' },
        // A policy cannot name these hosts, and they must not end one of its rules.
        { url: 'https://x;script-src.example/d.png' },
        { url: 'https://[2001:db8::1]/e.png' },
      ],
    });
    const { headers, html } = await open(post_id);
    expect(headers.get('content-security-policy')).toContain(
      "; img-src 'self' https://one.example http://two.example:8080; base-uri 'none';",
    );
    expect(html).toContain('The first');
    for (const [image] of html.matchAll(/<img[^>]*>/g)) {
      expect(image).toContain('loading="lazy"');
      expect(image).toContain('referrerpolicy="no-referrer"');
    }
  });

  it('has headers of at most 2 kB, whatever the hosts of its pictures are', async () => {
    const host = (index: number) => `${`${index}-`.padEnd(60, 'a')}.`.repeat(30);
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      images: Array.from({ length: 20 }, (_, index) => ({
        url: `http${index === 0 ? '' : 's'}://${host(index)}example/a.png`,
      })),
    });
    const { headers } = await open(post_id);
    expect(headers.get('content-security-policy')).toContain(
      "; img-src 'self' http: https:; base-uri 'none';",
    );
    expect(JSON.stringify([...headers]).length).toBeLessThan(2_000);
  });

  it('shows means and histograms of rated images', async () => {
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      scale: { min: 0, max: 2, step: 1 },
    });
    await start(company.api, post_id);
    const rate = (a: number, b: number) => [
      { image: 1, value: a },
      { image: 2, value: b },
    ];
    await respond(post_id, [9, rate(0, 2)], [9, rate(2, 2)], [9, rate(1, 2)]);
    const { html } = await open(post_id);
    const rows = rowsOf(html);
    expect(rows).toContainEqual(['Image 1', '3', '1.00', '0.14 to 1.86', '1.00']);
    expect(rows).toContainEqual(['Image 2', '3', '2.00', '0.58 to 2.00', '0.00']);
    expect(rows.filter(([name]) => name === '2')).toContainEqual(['2', '3']);
    expect(html.match(/<img/g)).toHaveLength(2);
  });

  it.each([
    ['one rating each', { min: 1, max: 5, step: 0.1 }, 41, '1.1', '5.0'],
    ['several ratings each', { min: 0, max: 1_000, step: 1 }, 101, '10 to 19', '1,000'],
  ])('names the steps of a histogram with %s', async (_, scale, steps, second, last) => {
    const { post_id } = await createImageSurvey(company.api, 'slider', {
      scale,
      images: images(1),
    });
    await start(company.api, post_id);
    await respond(post_id, [9, [{ image: 1, value: scale.max }]]);
    const { html } = await open(post_id);
    const all = rowsOf(html);
    const first = all.findIndex(([name]) => name!.startsWith('Rating'));
    const rows = all.slice(first + 1, first + 1 + steps);
    expect([rows[1], rows.at(-1)]).toEqual([
      [second, '0'],
      [last, '1'],
    ]);
  });

  it('shows the preferred of two images, and ranks images that were compared', async () => {
    const binary = (await createImageSurvey(company.api, 'binary')).post_id;
    const pairs = (await createImageSurvey(company.api, 'round-robin', { images: images(3) }))
      .post_id;
    for (const each of [binary, pairs]) {
      await start(company.api, each);
    }
    await respond(binary, [9, [{ value: 2 }]]);
    const won = (a: number, b: number, value: number) => ({ images: [a, b], value });
    await respond(pairs, [9, [won(1, 2, 2), won(1, 3, 3), won(2, 3, 3)]]);
    expect(rowsOf((await open(binary)).html)).toContainEqual([
      'Image 2',
      '1',
      '100.0%',
      '20.7% to 100.0%',
    ]);
    const { html } = await open(pairs);
    const ranking = rowsOf(html).filter(
      ([name, ...cells]) => name!.startsWith('Image') && cells[2],
    );
    expect(ranking.map(([name, rank]) => [name, rank]).slice(1, 4)).toEqual([
      ['Image 3', '1'],
      ['Image 2', '2'],
      ['Image 1', '3'],
    ]);
    expect(rowsOf(html)).toContainEqual(['Image 3', '1', '1', '–']);
    expect(html).toContain('Consistency: 1.00.');
  });

  it('says that an empty campaign has no answers yet', async () => {
    const post_id = await questionnaire([QUESTION]);
    const { html } = await open(post_id);
    expect(html).toContain('No responses yet.');
    expect(rowsOf(html)).toContainEqual(['Daily', '0', '–', '–']);
    expect(html).not.toMatch(/NaN|undefined|null|Infinity/);
    const unasked = await open(await liveSurvey(company));
    expect(unasked.html).toContain('The campaign has no questions.');
    expect(unasked.html).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('draws every type of question', async () => {
    const post_id = await questionnaire(ALL_TYPES);
    const answers = (n: number): ScoredAnswers => [9, answersFrom(ALL_TYPES, n)];
    await respond(post_id, answers(0), answers(4), answers(6), answers(13));
    const { html } = await open(post_id);
    const rows = rowsOf(html);
    for (const heads of [
      ['Rating', 'Given by'],
      ['Group', 'Answers', 'Share', '95% interval'],
      ['From', 'To below', 'Answers'],
      ['Month', 'Answers', 'Share', '95% interval'],
      ['Option', 'Ranked by', 'Mean rank', 'Ranked first', 'Strength'],
      ['Row', 'Bad', 'Good'],
      ['Row', 'x', 'y', 'z'],
      ['Row', 'Answers', 'Mean', '95% interval', 'Standard deviation', 'Top two ratings'],
      ['Answer', 'Answers', 'Share', '95% interval'],
    ]) {
      expect(rows).toContainEqual(heads);
    }
    expect(html).toMatch(
      /Score: promoters minus detractors<\/dt><dd>-?[\d.]+<small>95% interval -?[\d.]+ to/,
    );
    expect(html).toMatch(/answers? of \d respondents? who were shown it/);
    // Options with a key are shown by their texts.
    expect(rows.some(([name]) => name === 'price')).toBe(false);
    expect(html).toMatch(/Respondents typed \d comments?, not shown on this page/);
    expect(html).not.toMatch(/Oat milk|Always|NaN|undefined|Infinity/);
    const empty = (await open(await questionnaire(ALL_TYPES))).html;
    expect(empty).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('plots many dates by longer periods, and has each in the table', async () => {
    const months = Array.from({ length: 30 }, (_, index) =>
      new Date(Date.UTC(2020, index)).toISOString().slice(0, 7),
    );
    const post_id = await questionnaire(
      [{ type: 'date', question: 'Since when?', precision: 'month' }],
      { max_responses: 100 },
    );
    await respond(post_id, ...months.map((value): ScoredAnswers => [9, [{ question: 1, value }]]));
    const { html } = await open(post_id);
    const labels = [...html.matchAll(/<span class="label"[^>]*>(\d[^<]*)<\/span>/g)].map(
      ([, label]) => label,
    );
    expect(labels.filter((label) => label!.startsWith('20'))).toEqual(
      [2020, 2021, 2022]
        .flatMap((year) => [1, 2, 3, 4].map((quarter) => `${year} Q${quarter}`))
        .slice(0, 10),
    );
    expect(html).toContain('The share of each quarter, with 95% intervals');
    expect(html).toContain('The plot has the 10 quarters of these 30 months');
    const rows = rowsOf(html).map(([name]) => name);
    expect(rows.filter((name) => months.includes(name!))).toEqual(months);
  });

  it('escapes the rows, options and units of every type', async () => {
    const bad = `<img src=x onerror=alert(1)>`;
    const post_id = await questionnaire([
      { type: 'matrix', question: 'M', rows: [`R${bad}`], options: [`O${bad}`, 'b'] },
      { type: 'matrix', question: 'S', rows: [`R${bad}`], scale: { min: 0, max: 2 } },
      { type: 'ranking', question: 'R', options: [`O${bad}`, { text: `T${bad}`, key: 't' }] },
    ]);
    await respond(post_id, [
      9,
      [
        { question: 1, value: { [`R${bad}`]: `O${bad}` } },
        { question: 2, value: { [`R${bad}`]: 2 } },
        { question: 3, value: ['t', `O${bad}`] },
      ],
    ]);
    const { html } = await open(post_id);
    expect(html).not.toContain('<img');
    expect(html.split('&lt;img src=x onerror=alert(1)>').length).toBeGreaterThan(8);
  });

  it('shows no more of a matrix than fits a page', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => `Row number ${row}`);
    const options = Array.from({ length: 50 }, (_, option) => `Column ${option}`);
    const post_id = await questionnaire([{ type: 'matrix', question: 'M', rows, options }]);
    const { html } = await open(post_id);
    const names = rowsOf(html).map(([name]) => name!);
    expect(new Set(names.filter((name) => name.startsWith('Row number'))).size).toBe(50);
    expect(html).toContain('50 of 300 rows.');
    expect(html.length).toBeLessThan(1_000 * KB);
  });

  it('does not count an erased respondent', async () => {
    const post_id = await questionnaire([QUESTION]);
    await respond(post_id, [9, [{ question: 1, value: 'Never' }]]);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: `${post_id} 0` });
    const { html } = await open(post_id);
    expect(rowsOf(html)).toContainEqual(['Never', '0', '–', '–']);
    expect(rowsOf(html)).toContainEqual(['Erased: not counted', '1']);
  });

  it('has less than 100 kB for 20 questions, and a row for each of 100 options', async () => {
    const options = ['Always', 'Often', 'Sometimes', 'Rarely', 'Never'];
    const questions = Array.from({ length: 20 }, (_, index) => ({
      ...QUESTION,
      question: `Question ${index + 1}: how often do you drink coffee at home?`,
      options,
    }));
    const post_id = await questionnaire(questions);
    const all = questions.map((_, index) => ({ question: index + 1, value: 'Often' }));
    await respond(post_id, [9, all], [3, all]);
    const { html } = await open(post_id);
    expect(html.match(/class="whisker"/g)!.length).toBeGreaterThanOrEqual(100);
    expect(html.length).toBeLessThan(100 * KB);

    const many = Array.from({ length: 100 }, (_, index) => `Option number ${index + 1}`);
    const long = await questionnaire([{ ...QUESTION, options: many }]);
    await respond(long, [9, [{ question: 1, value: many[99] }]]);
    const rows = rowsOf((await open(long)).html).filter(([name]) =>
      name!.startsWith('Option number'),
    );
    expect(rows).toHaveLength(100);
    expect(rows[99]).toEqual(['Option number 100', '1', '100.0%', '20.7% to 100.0%']);
  });

  it('shows the most frequent options of a questionnaire that is too long for a page', async () => {
    const options = Array.from({ length: 60 }, (_, index) => `Option number ${index + 1}`);
    const questions = Array.from({ length: 50 }, () => ({ ...QUESTION, options }));
    const post_id = await questionnaire(questions);
    const answers = questions.map((_, index) => ({ question: index + 1, value: options[59] }));
    await respond(post_id, [9, answers]);
    const { html } = await open(post_id);
    const rows = rowsOf(html).filter(([name]) => name!.startsWith('Option number'));
    expect(rows).toHaveLength(50 * 50);
    expect(rows.filter(([name]) => name === 'Option number 60')).toHaveLength(50);
    expect(html).toContain('The 50 most frequent of 60 options.');
  });

  it('cuts no long list that fits beside short ones', async () => {
    const options = Array.from({ length: 195 }, (_, index) => `Country ${index + 1}`);
    const post_id = await questionnaire([
      { ...QUESTION, options },
      ...Array.from({ length: 19 }, () => ({ type: 'text', question: 'Why?', required: false })),
    ]);
    const { html } = await open(post_id);
    expect(html).not.toContain('most frequent of');
    expect(rowsOf(html).filter(([name]) => name!.startsWith('Country'))).toHaveLength(195);
  });

  it('gives long lists what short ones leave, if the page cannot have all of them', async () => {
    const options = Array.from({ length: 250 }, (_, index) => `Country ${index + 1}`);
    const post_id = await questionnaire([
      ...Array.from({ length: 11 }, () => ({ ...QUESTION, options })),
      QUESTION,
      { type: 'text', question: 'Why?' },
    ]);
    const { html } = await open(post_id);
    // The whole part of (2,500 - 2) / 11.
    expect(html.match(/The 227 most frequent of 250 options\./g)).toHaveLength(11);
  });

  it('shows limits, and says that a test campaign is one', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const { post_id } = await createSurvey(api, { max_responses: 10, budget: 1000 });
    const { html } = await open(post_id, {}, api);
    expect(html).toContain('0 of 10 responses');
    expect(html).toContain('0.00 USD of a budget of 1,000.00 USD');
    expect(html).toContain('Test data');
  });
});
