import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import type { Begun, ScoredAnswers } from '../support/fielding';
import { begun, liveQuestionnaire, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';

const COHORT_4 = 7;
const COHORT_5 = 9;

const QUESTIONS = [
  {
    type: 'single_choice',
    key: 'how_often',
    question: 'How often?',
    options: ['a', 'b', 'c', 'd', 'e', { text: 'Else', key: 'else', other: true }],
    comment: true,
  },
  { type: 'text', question: 'Why?', required: false },
];

describe('what the link of a results page allows', () => {
  const platform = platformForAll();
  const company = companyForEach();
  let post_id: string;

  beforeEach(async () => {
    post_id = await liveQuestionnaire(company, QUESTIONS, { max_responses: 200, budget: 90_000 });
  });

  const create = (fields: object) =>
    company.api.post('/svc/campaign/results-link', { post_id, ...fields });

  const link = async (...show: string[]): Promise<string> => (await create({ show })).body.data.url;

  async function open(url: string): Promise<string> {
    const response = await fetch(url);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return response.text();
  }

  async function respond(...all: ScoredAnswers[]): Promise<Begun[]> {
    const places: Begun[] = [];
    for (const [score, answers] of all) {
      const place = await begun(platform, post_id, `${post_id} ${places.length}`);
      expect((await submit(platform, place, score, answers)).status).toBe(200);
      places.push(place);
    }
    await resultsOf(service.dataSource, company, post_id);
    return places;
  }

  const answers = (value: string, text?: string) => [
    { question: 1, value, comment: `comment of ${value}` },
    ...(text === undefined ? [] : [{ question: 2, value: text }]),
  ];

  const times = <T>(length: number, of: (index: number) => T) =>
    Array.from({ length }, (_, index) => of(index));

  it('is a set of known parts, in one order', async () => {
    expect((await create({ show: ['downloads', 'crosstabs'] })).body.data.show).toEqual([
      'crosstabs',
      'downloads',
    ]);
    expectInvalid(await create({ show: ['texts', 'money'] }), { 'show[1]': 'not_allowed' });
    expectInvalid(await create({ show: ['texts', 'texts'] }), { 'show[1]': 'duplicate' });
    const { body } = await company.api.get('/svc/campaign/results-link/list');
    expect(body.data.items.map(({ show }: any) => show)).toEqual([['crosstabs', 'downloads']]);
  });

  it('is nothing by default, whatever the query says', async () => {
    await respond(
      ...times(6, (): ScoredAnswers => [COHORT_5, answers('a', 'Secret')]),
      ...times(6, (): ScoredAnswers => [COHORT_4, answers('b', 'Secret')]),
    );
    const url = await link();
    const page = await open(url);
    expect(page).toContain('Respondents typed 12 texts, not shown on this page');
    expect(page).not.toMatch(/Secret|comment of|CSV|href="\?[^"]*(cohort|format)/);
    const asked = await open(`${url}?cohort=5&format=csv&order=sideways&utm_source=mail`);
    const plain = (html: string) => html.replaceAll(/<time[^]*?<\/time>/g, '');
    expect(plain(asked)).toBe(plain(page));
  });

  it('compares with the earlier campaign that it names, and with no other one', async () => {
    const earlier = await liveQuestionnaire(company, QUESTIONS, { title: 'Wave <1>' });
    const submitTo = async (campaign: string, from: number, values: readonly string[]) => {
      for (const [n, value] of values.entries()) {
        const place = await begun(platform, campaign, `${campaign} ${from + n}`);
        expect((await submit(platform, place, COHORT_5, answers(value))).status).toBe(200);
      }
    };
    await submitTo(earlier, 0, ['a', 'b', 'b', 'b']);
    await submitTo(post_id, 0, ['a', 'a', 'a', 'b']);
    const created = await create({ compare: earlier });
    expect(created.data.compare).toBe(earlier);
    const page = await open(created.data.url);
    expect(page).toContain('href="?compare=earlier"');
    const compared = await open(`${created.data.url}?compare=earlier`);
    expect(compared).toContain('Wave &lt;1>: 4 responses counted');
    const cells = [...compared.matchAll(/<tr><th scope="row"[^>]*>(?:.)<\/th>.*?<\/tr>/g)].map(
      ([row]) =>
        row
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/ +/g, ' ')
          .trim(),
    );
    expect(cells.slice(0, 2)).toEqual([
      expect.stringMatching(/^a 75\.0% 3 25\.0% 1 50\.0% -?\d+\.\d% to \d+\.\d%$/),
      expect.stringMatching(/^b 25\.0% 1 75\.0% 3 -50\.0% -\d+\.\d% to -?\d+\.\d%$/),
    ]);
    expect(compared).not.toContain('comment of');

    const alone = await link('crosstabs');
    expect(await open(alone)).not.toContain('compare');
    expect(await open(`${alone}?compare=earlier`)).not.toContain('Wave');
    const theirs = await createSurvey((await registerCompany(service.client)).api);
    const refused = await create({ compare: theirs.post_id });
    expectError(refused, 403, 'campaign_not_owned');
  });

  it('orders long lists by share, and has an anchor at each question', async () => {
    await respond([COHORT_5, answers('c')], [COHORT_5, answers('c')], [COHORT_5, answers('b')]);
    const url = await link();
    const orderIn = (html: string) =>
      [...html.matchAll(/<span class="label"[^>]*>(\w)<\/span>/g)].map(([, name]) => name).join('');
    const page = await open(url);
    expect(orderIn(page)).toBe('abcde');
    expect(page).toContain('<section id="question-how_often">');
    expect(page).toContain('href="#question-how_often"');
    expect(page).toContain('href="#question-2"');
    expect(page).toContain('href="?order=share#question-how_often"');
    expect(orderIn(await open(`${url}?order=share`))).toBe('cbade');
  });

  it('shows the newest 50 texts, escaped, until their response is reversed or erased', async () => {
    const url = await link('texts');
    const places = await respond(
      ...times(51, (index): ScoredAnswers => [COHORT_5, answers('a', `<b>text ${index} `)]),
      [COHORT_5, [{ question: 1, value: 'else', other: 'My own <i>' }]],
    );
    const page = await open(url);
    expect(page).toContain('The newest 50 of 51 texts. There is more in the export.');
    expect(page).toContain('1 text of their own, the newest first.');
    expect(page).toContain('<li dir="auto">My own &lt;i></li>');
    expect(page).not.toContain('<b>text');
    const shown = (html: string) =>
      [...html.matchAll(/&lt;b>text (\d+)/g)].map(([, number]) => Number(number));
    expect(shown(page)).toEqual(times(50, (index) => 50 - index));
    expect(page.match(/comment of a/g)).toHaveLength(50);

    const { participation_id } = places[50]!;
    const reversal = { post_id, participation_id, reason: 'fraud' };
    expect((await platform.post('/svc/fielding/reverse', reversal)).status).toBe(200);
    expect(shown(await open(url))[0]).toBe(49);
    const erased = { respondent_id: `${post_id} 49` };
    expect((await platform.post('/svc/fielding/erase-respondent', erased)).status).toBe(200);
    expect(shown(await open(url))).toEqual(times(49, (index) => 48 - index));
  });

  it('gives the results as CSV, in which no text is a formula', async () => {
    await company.api.post('/svc/survey/questions', {
      post_id,
      questions: [
        { type: 'single_choice', question: '=1+1, or "2"?', options: ['@a', 'b'] },
        { type: 'rating', key: 'taste', question: 'Taste?', scale: { min: 1, max: 2 } },
      ],
    });
    const given = (value: number) => [
      { question: 1, value: '@a' },
      { question: 2, value },
    ];
    await respond([COHORT_5, given(1)], [COHORT_5, given(2)]);
    const url = await link('downloads');
    expect(await open(url)).toContain('href="?format=csv"');
    const response = await fetch(`${url}?format=csv`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${post_id}-results.csv"`,
      'cache-control': 'no-store',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = bytes.toString('utf8').slice(1).split('\r\n');
    const first = `1,,single_choice,"'=1+1, or ""2""?",`;
    expect(lines).toEqual([
      'question,key,type,text,row,answer,measure,value,interval_low,interval_high',
      `${first},,asked,2,,`,
      `${first},,answered,2,,`,
      `${first},'@a,count,2,,`,
      `${first},'@a,share,1,0.34238,1`,
      `${first},b,count,0,,`,
      `${first},b,share,0,0,0.65762`,
      '2,taste,rating,Taste?,,,asked,2,,',
      '2,taste,rating,Taste?,,,answered,2,,',
      '2,taste,rating,Taste?,,,mean,1.5,,',
      '2,taste,rating,Taste?,,,standard_deviation,0.707107,,',
      '2,taste,rating,Taste?,,,top_two_count,2,,',
      '2,taste,rating,Taste?,,,top_two_share,1,0.34238,1',
      '2,taste,rating,Taste?,,1,count,1,,',
      '2,taste,rating,Taste?,,2,count,1,,',
      '',
    ]);
    const unknown = await fetch(`${service.client.url}/results/x?format=csv`);
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('compares the answers of groups, without what few of them answered', async () => {
    await respond(
      ...times(6, (index): ScoredAnswers => [COHORT_5, answers(index < 5 ? 'a' : 'b')]),
      ...times(8, (): ScoredAnswers => [COHORT_4, answers('b')]),
      [1, answers('b')],
    );
    const url = await link('crosstabs');
    const table = 'rows=how_often&columns=cohort';
    expect(await open(url)).toContain(`<a href="?${table.replace('&', '&amp;')}">Compare groups`);
    const rows = [...(await open(`${url}?${table}`)).matchAll(/<tr>([^]*?)<\/tr>/g)].map(
      ([, row]) =>
        [...row!.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) =>
          cell!.replaceAll(/<[^>]*>/g, ''),
        ),
    );
    expect(rows[0]).toEqual(['Answer', 'All', 'A: 1', 'B: 2', 'C: 3', 'D: 4', 'E: 5']);
    // One of cohort 1 answered, so the next larger group is hidden too.
    expect(rows.find(([name]) => name === 'b')).toEqual([
      'b',
      '66.7% 10',
      '–',
      '–',
      '–',
      '100.0% 8',
      '–',
    ]);
    expect(rows.at(-1)).toEqual(['Answered', '', '–', '–', '–', '8*', '–']);

    // What a page does not offer is all answers.
    for (const query of [
      'rows=how_often&columns=platform',
      'rows=how_often&columns=version',
      'rows=2&columns=cohort',
      'rows=nothing&columns=cohort',
      'rows=how_often&row=x&columns=cohort',
      'rows=how_often&rows=2&columns=cohort',
    ]) {
      expect(await open(`${url}?${query}`)).toContain('<h2>Answers</h2>');
    }
    expect(await open(`${await link('texts')}?${table}`)).not.toMatch(/Compare|A: 1/);
  });

  it('shows cohorts alone, unless they or those left out are few', async () => {
    const url = await link('crosstabs', 'downloads', 'texts');
    await respond(
      ...times(5, (): ScoredAnswers => [COHORT_5, answers('a', 'of cohort 5')]),
      ...times(4, (): ScoredAnswers => [COHORT_4, answers('b', 'of cohort 4')]),
    );
    // Cohort 4 has too few, and cohort 5 would tell what they answered.
    const few = await open(`${url}?cohort=5`);
    expect(few).toContain('Too few responses to show cohorts 4 and 5 alone.');
    expect(few).toContain('<strong>9 responses.</strong>');
    const place = await begun(platform, post_id, `${post_id} one more`);
    await submit(platform, place, COHORT_4, answers('b'));
    await resultsOf(service.dataSource, company, post_id);
    const page = await open(url);
    expect(page).toContain('<a href="?cohort=5">');
    const one = await open(`${url}?cohort=5&order=share`);
    expect(one).toContain('<strong>5 responses.</strong>');
    expect(one).toContain('of responses in cohort 5 only');
    expect(one).toContain('<a href="?cohort=5&amp;order=share" aria-current="true">');
    expect(one).toContain('comment of a');
    expect(one).not.toMatch(/comment of b|of cohort 4/);
    // Only four of cohort 4 answered the second question, so neither cohort shows it alone.
    expect(one.match(/Too few of this cohort answered to show it alone/g)).toHaveLength(1);
    expect(await open(`${url}?cohort=5&format=csv`)).not.toMatch(/^2,/m);
  });
});
