import { createImageSurvey, createSurvey, images } from '../support/builders';
import { companyForEach } from '../support/fixtures';
import { EVERY_TYPE } from '../support/preview';
import { service } from '../support/service';

/** A page without its script and style sheet. */
const mainOf = (html: string) => /<main>[^]*<\/main>/.exec(html)![0];

type Fields = readonly (readonly [name: string, value: string])[];

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** A browser without JavaScript, as far as a preview needs one. */
class Visitor {
  html = '';
  headers = new Headers();

  constructor(readonly url: string) {}

  async open(): Promise<this> {
    return this.read(await fetch(this.url));
  }

  async send(step: string, fields: Fields = []): Promise<this> {
    const hidden = [...this.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const own = hidden.map(([, name, value]) => [name!, unescaped(value!)]);
    const body = new URLSearchParams([...own, ...fields.map(([a, b]) => [a, b]), ['step', step]]);
    return this.read(await fetch(this.url, { method: 'POST', body }));
  }

  private async read(response: Response): Promise<this> {
    expect(response.status).toBe(200);
    this.headers = response.headers;
    this.html = await response.text();
    return this;
  }

  /** The texts of the questions on the page. */
  get questions(): string[] {
    return [...this.html.matchAll(/<span class="text"[^>]*>([^<]*)</g)].map(([, text]) =>
      unescaped(text!),
    );
  }

  /** What is wrong, by the id of the question. */
  get errors(): Record<string, string> {
    const found = this.html.matchAll(/<p class="error" id="(q\d+)-error"[^>]*>([^<]*)</g);
    return Object.fromEntries([...found].map(([, id, text]) => [id, unescaped(text!)]));
  }

  /** The answers on the last page. */
  get answers(): unknown {
    return JSON.parse(unescaped(/<pre[^>]*>([^]*)<\/pre>/.exec(this.html)![1]!));
  }

  get focused(): string[] {
    return [...this.html.matchAll(/<(?:input|textarea)[^>]*\sautofocus[^>]*>/g)].map(
      ([field]) => /name="([^"]*)"/.exec(field)![1]!,
    );
  }
}

describe('a preview', () => {
  const company = companyForEach();

  async function visit(post_id: string, fields = {}): Promise<Visitor> {
    const { body } = await company.api.post('/svc/campaign/preview-link', { post_id, ...fields });
    return new Visitor(body.data.url).open();
  }

  async function preview(set: object, fields = {}): Promise<Visitor> {
    const { post_id } = await createSurvey(company.api);
    const stored = await company.api.post('/svc/survey/questions', { post_id, ...set });
    expect([stored.status, stored.body.error?.details]).toEqual([200, undefined]);
    return visit(post_id, fields);
  }

  const FIRST: Fields = [
    ['q2', 'Something else'],
    ['q2.other', 'Cocoa'],
    ['q2.comment', 'In winter'],
    ['q3', 'Hot'],
    ['q3', 'Strong'],
  ];

  it('walks through every type of question, and stores nothing', async () => {
    const page = await preview(EVERY_TYPE);
    const count = async () =>
      (await service.dataSource.query('SELECT count(*)::int AS n FROM participation'))[0].n;
    const before = await count();
    expect(page.html).toContain('Nothing that you enter is stored.');
    expect(page.questions).toEqual([
      'Welcome to this survey.',
      'What do you drink most?',
      'Which kinds of … do you like?',
      // No answer is not coffee either.
      'Why no coffee?',
    ]);
    await page.send('next', [...FIRST, ['q4', 'Bitter']]);
    expect(page.errors).toEqual({});
    expect(new Set(page.questions)).toEqual(
      new Set(['How many cups a day?', 'How much do you like it?', 'How strong should it be?']),
    );
    await page.send('next', [['q5', '3'], ['q6', '4'], ['q7', '']]); // prettier-ignore
    expect(page.questions).toEqual([
      'How warm, in degrees?',
      'Would you recommend it?',
      'What matters most?',
    ]);
    await page.send('next', [
      ['q8', '60'],
      ['q9', '9'],
      ['q10.0', '2'],
      ['q10.1', '3'],
      ['q10.2', '1'],
    ]);
    await page.send('next', [
      ['q11.0', 'Daily'],
      ['q11.1', 'Never'],
      ['q12.1', 'Milk'],
      ['q12.1', 'Sugar'],
      ['q13.0', '5'],
      ['q13.1', '2'],
    ]);
    await page.send('next', [
      ['q14', '2026-11-27'],
      ['q15', '2026-11'],
      ['q16', '2026'],
      ['q17', 'Two\r\nlines'],
      ['q19', 'true'],
    ]);
    expect(page.html).toContain('Nothing was stored.');
    const answers = [
      {
        question: 'drink',
        value: 'Something else',
        other: 'Cocoa',
        comment: 'In winter',
      },
      { question: 'kinds', value: ['Hot', 'Strong'] },
      { question: 'why', value: 'Bitter' },
      { question: 'cups', value: 3 },
      { question: 'stars', value: 4 },
      { question: 'slider', value: 60 },
      { question: 'nps', value: 9 },
      { question: 'ranked', value: ['Smell', 'Taste', 'Price'] },
      { question: 'grid', value: { 'At home': 'Daily', 'At work': 'Never' } },
      { question: 'ticks', value: { Evening: ['Milk', 'Sugar'] } },
      { question: 'grades', value: { Taste: 5, Price: 2 } },
      { question: 'day', value: '2026-11-27' },
      { question: 'month', value: '2026-11' },
      { question: 'year', value: '2026' },
      { question: 'essay', value: 'Two\nlines' },
      { question: 'consent', value: true },
    ];
    expect(page.answers).toEqual(answers);
    expect(await count()).toBe(before);
    // Each page still has what was answered on it.
    await page.send('back');
    expect(page.html).toMatch(/name="q14"[^>]* value="2026-11-27"/);
    await page.send('next', [
      ['q14', '2026-11-27'],
      ['q15', '2026-11'],
      ['q16', '2026'],
      ['q17', 'Two\r\nlines'],
      ['q19', 'true'],
    ]);
    expect(page.answers).toEqual(answers);
  });

  it('hides what the answers hide, and forgets the answers to it', async () => {
    const page = await preview(EVERY_TYPE);
    await page.send('next', [...FIRST, ['q4', 'Bitter']]);
    await page.send('back');
    expect(page.questions).toContain('Which kinds of Cocoa do you like?');
    await page.send('show', [['q2', 'Coffee'], ['q3', 'Hot'], ['q4', 'Bitter']]); // prettier-ignore
    expect(page.questions).toEqual([
      'Welcome to this survey.',
      'What do you drink most?',
      'Which kinds of Coffee do you like?',
    ]);
    expect(page.errors).toEqual({});
    await page.send('next', [['q2', 'Coffee'], ['q3', 'Hot']]); // prettier-ignore
    expect(page.questions).toContain('How many cups a day?');
  });

  it('shows a question that an answer on the same page brings up, before it asks for it', async () => {
    const page = await preview({
      questions: [
        { type: 'checkbox', key: 'more', question: 'More?' },
        {
          type: 'text',
          question: 'What?',
          show_if: { all: [{ question: 'more', op: 'is', value: true }] },
        },
      ],
    });
    expect(page.questions).toEqual(['More?']);
    await page.send('next', [['q1', 'true']]);
    expect([page.questions, page.errors]).toEqual([['More?', 'What?'], {}]);
    await page.send('next', [['q1', 'true']]);
    expect(page.errors).toEqual({ q2: 'Please answer this question.' });
    await page.send('next');
    expect(page.answers).toEqual([{ question: 'more', value: false }]);
  });

  it('shows the options and rows that the answers leave, at their places', async () => {
    const ifMore = { show_if: { all: [{ question: 'more', op: 'is', value: true }] } };
    const page = await preview({
      questions: [
        { type: 'checkbox', key: 'more', question: 'More?' },
        { type: 'single_choice', question: 'Which?', options: ['a', { text: 'b', ...ifMore }] },
        { type: 'ranking', question: 'Order?', options: [{ text: 'x', ...ifMore }, 'y', 'z'] },
        {
          type: 'matrix',
          question: 'Each?',
          rows: [{ text: 'm', ...ifMore }, 'n'],
          scale: { min: 1, max: 2 },
        },
        {
          type: 'single_choice',
          question: 'And?',
          options: ['c', 'd'].map((text) => ({ text, ...ifMore })),
        },
      ],
    });
    expect(page.questions).toEqual(['More?', 'Which?', 'Order?', 'Each?']);
    expect(page.html).not.toMatch(/value="b"|name="q3.0"|name="q4.0"/);
    const some: Fields = [['q2', 'a'], ['q3.1', '2'], ['q3.2', '1'], ['q4.1', '2']]; // prettier-ignore
    // What the answers on the page bring up is seen before the next page.
    await page.send('next', [['q1', 'true'], ...some]);
    expect(page.questions).toContain('And?');
    expect(page.html).toMatch(/value="b"[^]*name="q3.0"[^]*name="q4.0"/);
    await page.send('next', [['q1', 'true'], ...some]);
    expect(page.errors).toEqual({
      q3: 'Please choose at least 3.',
      q4: 'Please answer every row.',
      q5: 'Please answer this question.',
    });
    await page.send('next', [...some]);
    await page.send('next', [...some]);
    expect(page.answers).toEqual([
      { question: 'more', value: false },
      { question: 2, value: 'a' },
      { question: 3, value: ['z', 'y'] },
      { question: 4, value: { n: 2 } },
    ]);
  });

  const wrong: [name: string, question: object, fields: Fields, message: string][] = [
    ['a missing answer', { type: 'text' }, [], 'Please answer this question.'],
    [
      'a short text',
      { type: 'text', minimum_length: 3 },
      [['q1', 'ab']],
      'Please write at least 3 characters.',
    ],
    [
      'a long text',
      { type: 'descriptive', maximum_length: 2 },
      [['q1', 'abc']],
      'Please write at most 2 characters.',
    ],
    [
      'an email',
      { type: 'text', format: 'email' },
      [['q1', 'a@']],
      'Please enter an email address.',
    ],
    [
      'a URL',
      { type: 'text', format: 'url' },
      [['q1', 'example']],
      'Please enter an address that begins with https:// or http://.',
    ],
    [
      'a whole number',
      { type: 'text', format: 'integer' },
      [['q1', '1.5']],
      'Please enter a whole number.',
    ],
    ['no number', { type: 'number' }, [['q1', 'many']], 'Please enter a number.'],
    ['decimals', { type: 'number' }, [['q1', '1,5']], 'Please enter a whole number.'],
    [
      'more decimals',
      { type: 'number', decimals: 1 },
      [['q1', '1.55']],
      'Please enter at most 1 decimal places.',
    ],
    ['a small number', { type: 'number', minimum: 2 }, [['q1', '1']], 'Please enter 2 or more.'],
    ['a large number', { type: 'number', maximum: 2 }, [['q1', '3']], 'Please enter 2 or less.'],
    [
      'a rating',
      { type: 'rating', scale: { min: 0, max: 10 }, display: 'slider' },
      [['q1', '11']],
      'Please enter 10 or less.',
    ],
    [
      'a month',
      { type: 'date', precision: 'month' },
      [['q1', '2026-13']],
      'Please enter a date like 2026-11.',
    ],
    [
      'few ticks',
      { type: 'multiple_choice', options: ['a', 'b', 'c'], minimum_choices: 2 },
      [['q1', 'a']],
      'Please choose at least 2.',
    ],
    [
      'many ticks',
      { type: 'multiple_choice', options: ['a', 'b', 'c'], maximum_choices: 1 },
      [['q1', 'a'], ['q1', 'b']], // prettier-ignore
      'Please choose at most 1.',
    ],
    [
      'an exclusive option with another',
      { type: 'multiple_choice', options: ['a', { text: 'None', exclusive: true }] },
      [['q1', 'a'], ['q1', 'None']], // prettier-ignore
      'Please choose “None” alone, or something else.',
    ],
    [
      'an option that asks for a text',
      { type: 'single_choice', options: ['a', { text: 'Other', other: true }] },
      [['q1', 'Other']],
      'Please write your own answer.',
    ],
    [
      'no option',
      { type: 'single_choice', options: ['a', 'b'] },
      [['q1', 'c']],
      'This answer is not possible.',
    ],
    [
      'equal ranks',
      { type: 'ranking', options: ['a', 'b'] },
      [['q1.0', '1'], ['q1.1', '1']], // prettier-ignore
      'Please give each option another whole number.',
    ],
    [
      'few ranks',
      { type: 'ranking', options: ['a', 'b'] },
      [['q1.0', '1']],
      'Please choose at least 2.',
    ],
    [
      'a row',
      { type: 'matrix', rows: ['r', 's'], options: ['a', 'b'] },
      [['q1.0', 'a']],
      'Please answer every row.',
    ],
    [
      'a consent',
      { type: 'checkbox', must_be_true: true },
      [],
      'Please tick this box to continue.',
    ],
  ];

  it.each(wrong)(
    'says what is wrong with %s, and focuses it',
    async (_, question, fields, text) => {
      const page = await preview({ questions: [{ question: 'What?', ...question }] });
      await page.send('next', fields);
      expect(page.errors).toEqual({ q1: text });
      expect(page.html).toContain('<title>Error · Coffee habits</title>');
      expect(page.html).toMatch(/aria-describedby="(q1-hint )?q1-error"/);
      expect(page.focused).toEqual([expect.stringMatching(/^q1/)]);
      // What was entered stays.
      for (const [name, value] of fields) {
        expect(page.html).toMatch(new RegExp(`name="${name}"[^]*${value === 'c' ? '' : value}`));
      }
    },
  );

  it('has its messages in the language of the questions, and offers the others', async () => {
    const page = await preview(EVERY_TYPE, { language: 'de-CH' });
    expect(page.html).toContain('<html lang="de" dir="ltr">');
    await page.send('next', [['language', 'de']]);
    expect(page.questions).toContain('Was trinken Sie am meisten?');
    expect(page.errors.q2).toBe('Bitte beantworten Sie diese Frage.');
    await page.send('show', [['language', 'ar']]);
    expect(page.html).toContain('<html lang="ar" dir="rtl">');
    expect(page.questions).toContain('ماذا تشرب غالبًا؟');
    await page.send('next', [['language', 'ar'], ['q2', 'Coffee']]); // prettier-ignore
    expect(page.errors.q3).toBe('يرجى الإجابة عن هذا السؤال.');
    expect(page.questions).toContain('أي أنواع من قهوة تحب؟');
    // The language of the questions without texts of the page in it.
    const other = await preview({
      language: 'he',
      questions: [{ type: 'text', question: 'מה?' }],
    });
    expect(other.html).toContain('<html lang="he" dir="rtl">');
    expect(other.html).toMatch(/lang="en">This is a preview/);
  });

  it('shuffles for each visit, and keeps the order from page to page', async () => {
    const options = Array.from({ length: 20 }, (_, index) => `Option ${index}`);
    const page = await preview({
      questions: [{ type: 'single_choice', question: 'Which?', options, shuffle: true }],
    });
    const order = () => page.html.match(/Option \d+(?=<)/g);
    const first = order();
    await page.send('next');
    expect(order()).toEqual(first);
    await page.open();
    expect(order()).not.toEqual(first);
    expect(order()!.toSorted()).toEqual(first!.toSorted());
  });

  it('shows the images of an image survey', async () => {
    const slider = await createImageSurvey(company.api, 'slider');
    const page = await visit(slider.post_id);
    expect(page.html.match(/<img [^>]*referrerpolicy="no-referrer"/g)).toHaveLength(2);
    await page.send('next', [['q1', '3'], ['q2', '11']]); // prettier-ignore
    expect(page.errors).toEqual({ q2: 'Please enter 10 or less.' });
    const pairs = await createImageSurvey(company.api, 'round-robin', { images: images(3) });
    const compared = await visit(pairs.post_id);
    for (const [index, chosen] of ['1', '3', '2'].entries()) {
      expect(compared.html.match(/<img /g)).toHaveLength(2);
      expect(compared.html).toContain(`${index + 1} / 3`);
      await compared.send('next', [[`q${index + 1}`, chosen]]);
      expect(compared.errors).toEqual({});
    }
    expect(compared.html).toContain('Nothing was stored.');
  });

  it('says that a campaign has no questions', async () => {
    const { post_id } = await createSurvey(company.api);
    expect((await visit(post_id)).html).toContain('This campaign has no questions yet.');
  });

  it('escapes every text of a campaign and of a respondent', async () => {
    const bad = `<img src=x onerror=alert(1)></script>&"'`;
    const { post_id } = await createSurvey(company.api, { title: `T${bad}` });
    const scale = { min: 1, max: 3, min_label: `L${bad}`, max_label: `M${bad}` };
    const questions = [
      { type: 'text', key: 'own', question: `Q${bad}` },
      { type: 'rating', question: `R${bad} {{own}}`, scale, section: `S${bad}` },
      { type: 'number', question: `N${bad}`, unit: `U${bad}`.slice(0, 40), section: `S${bad}` },
      {
        type: 'single_choice',
        question: `C${bad}`,
        options: [{ text: `O${bad}`, other: true }, 'B'],
        section: `S${bad}`,
      },
      { type: 'ranking', question: `K${bad}`, options: [`P${bad}`, 'B'], section: `S${bad}` },
      {
        type: 'matrix',
        question: `X${bad}`,
        rows: [`W${bad}`, 'V'],
        options: [`Z${bad}`, 'B'],
        section: `S${bad}`,
      },
    ];
    const stored = await company.api.post('/svc/survey/questions', { post_id, questions });
    expect([stored.status, stored.body.error?.details]).toEqual([200, undefined]);
    const page = await visit(post_id);
    const pages = [page.html];
    await page.send('next', [['q1', `A${bad}`]]);
    pages.push(page.html);
    await page.send('next', [['q3', bad]]);
    pages.push(page.html);
    expect(pages[1]).toContain('A&lt;img');
    for (const html of pages) {
      expect(html).not.toContain('<img');
      expect(html.match(/<\/script>/g)).toHaveLength(1);
      expect(html.split('onerror').length).toBe(html.split('&lt;img src=x onerror').length);
    }
  });

  it('survives whatever is sent', async () => {
    const page = await preview(EVERY_TYPE);
    const send = (body: URLSearchParams | string, type?: string) =>
      fetch(page.url, {
        method: 'POST',
        body,
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      });
    for (const body of [
      new URLSearchParams({ page: '-1', seed: 'x', seen: 'a,b', step: 'leap', language: '\0' }),
      new URLSearchParams({ page: '999', step: 'next' }),
      new URLSearchParams({ page: '999', step: 'back' }),
      new URLSearchParams([['q1', 'x'], ['q999', 'x'], ['q0', 'x'], ['q2.__proto__', 'x']]), // prettier-ignore
      new URLSearchParams({ q5: '1'.repeat(5_000), q10: 'none', 'q10.0': '1e999', q3: '\ud800' }),
      new URLSearchParams(Array.from({ length: 20_000 }, () => ['q3', 'a'])),
    ]) {
      const response = await send(body);
      expect(response.status).toBe(200);
      expect(mainOf(await response.text())).not.toMatch(/NaN|undefined|\[object/);
    }
    expect((await send('{}', 'application/json')).status).toBe(200);
    const large = await send(new URLSearchParams({ q17: 'a'.repeat(262_144) }));
    expect([large.status, large.headers.get('content-type')]).toEqual([
      413,
      'text/html; charset=utf-8',
    ]);
    expect((await send('x', 'text/plain')).status).toBe(415);
  });

  it('loads nothing from elsewhere, and is neither indexed nor cached', async () => {
    const { headers, html } = await preview(EVERY_TYPE);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      ),
    });
    expect(html).not.toMatch(/style="|\son\w+="|https?:\/\/(?!or\b)/);
  });
});
