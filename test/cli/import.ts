import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { registerCompany } from '../support/client';
import { CommandLine } from '../support/cli';
import { service } from '../support/service';

const SAMPLES = join(__dirname, '../support/questionnaires');

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A workbook of Excel, with these rows of texts in its sheets. */
function workbook(sheets: Record<string, string[][]>): Uint8Array {
  const names = Object.keys(sheets);
  const file = (index: number) => `worksheets/sheet${index + 1}.xml`;
  const cell = (text: string, column: number, row: number) =>
    `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
  const sheet = (rows: string[][]) =>
    `<worksheet><sheetData>${rows
      .map((row, at) => `<row>${row.map((text, column) => cell(text, column, at)).join('')}</row>`)
      .join('')}</sheetData></worksheet>`;
  return zipSync({
    'xl/workbook.xml': strToU8(
      `<workbook xmlns:r="r"><sheets>${names.map((name, index) => `<sheet name="${name}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${names.map((_, index) => `<Relationship Id="r${index}" Target="${file(index)}"/>`).join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      names.map((name, index) => [`xl/${file(index)}`, strToU8(sheet(sheets[name]!))]),
    ),
  });
}

const XLSFORM = workbook({
  survey: [
    ['type', 'name', 'label', 'required', 'relevant', 'constraint', 'parameters'],
    ['start', 'start', '', '', '', '', ''],
    ['note', 'hello', 'Welcome to the <household> survey', '', '', '', ''],
    ['integer', 'members', 'How many people live here?', 'yes', '', '. > 0 and . <= 20', ''],
    ['begin_group', 'water', 'Water', '', '${members} >= 2', '', ''],
    ['select_one source or_other', 'source', 'Where does it come from?', 'yes', '', '', ''],
    ['select_multiple use', 'uses', 'What for?', '', "${source} != 'well'", '', ''],
    ['end_group', '', '', '', '', '', ''],
    ['text', 'which', 'Which plants?', '', "selected(${uses}, 'plants')", 'regex(., "x")', ''],
    ['range', 'ok', 'Is it enough?', '', 'not(${members} > 10)', '', 'start=1 end=5 step=1'],
    ['geopoint', 'place', 'Where is it?', '', '', '', ''],
    ['begin_repeat', 'child', 'Children', '', '', '', ''],
    ['text', 'child_name', 'Name', '', '', '', ''],
    ['end_repeat', '', '', '', '', '', ''],
    ['acknowledge', 'agree', 'I agree', 'yes', '', '', ''],
  ],
  choices: [
    ['list_name', 'name', 'label'],
    ['source', 'well', 'A well'],
    ['source', 'tap', 'A tap'],
    ['use', 'drink', 'Drinking'],
    ['use', 'plants', 'Plants'],
  ],
  settings: [['form_title'], ['Household survey']],
});

describe('campaign import', () => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await CommandLine.start();
    const { api } = await registerCompany(service.client);
    cli.env.CAMPAIGN_URL = service.client.url;
    cli.env.CAMPAIGN_API_KEY = api.headers['x-api-key']!;
    writeFileSync(join(cli.folder, 'household.xlsx'), XLSFORM);
  }, 180_000);

  afterAll(() => cli.stop());

  /** Converts a file, and lets the service check the document. */
  async function imported(file: string) {
    const limits = ['--reward', '50', '--responses', '10'];
    const ran = await cli.json('import', file, '--force', ...limits);
    const document = JSON.parse(readFileSync(join(cli.folder, 'campaign.json'), 'utf8'));
    const { ready, warnings } = await cli.json('plan');
    const others = warnings.filter(({ code }: any) => code !== 'condition_always_holds');
    expect([ready, others]).toEqual([true, []]);
    const questions = new Map<string, any>(
      document.questions.map((question: any) => [question.key, question]),
    );
    const lost = ran.losses.map(({ question, what }: any) => `${question}: ${what}`);
    return { ...ran, document, questions, lost };
  }

  it('names a missing input before an output that exists', async () => {
    await cli.run(['init', '--force']);
    const { code, stderr } = await cli.run(['import', 'nofile.json']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('nofile.json is not there')]);
  });

  it('converts SurveyJS, with its logic', async () => {
    const { document, questions, lost } = await imported(join(SAMPLES, 'surveyjs.json'));
    expect(document).toMatchObject({ title: 'Pets & people', description: 'About your pets.' });
    expect([...questions.values()].map(({ key, type }) => `${key} ${type}`)).toEqual([
      ...['intro statement', 'your_age number', 'has_pet single_choice', 'pets multiple_choice'],
      ...['love rating', 'grid matrix', 'why descriptive', 'order ranking', 'contact_mail text'],
      'sum text',
    ]);
    expect(questions.get('pets')).toMatchObject({
      question: 'Which pets? (Tick all)',
      section: 'You',
      required: false,
      options: [
        { key: 'cat', text: 'Cat' },
        { key: 'd', text: 'Dog' },
        { key: 'other', text: 'Other', other: true },
        { key: 'none', text: 'None', exclusive: true },
      ],
      maximum_choices: 2,
      show_if: {
        all: [
          { question: 'has_pet', op: 'is', value: 'true' },
          { question: 'your_age', op: 'at_least', value: 18 },
        ],
      },
    });
    // The conditions of its page and its panel have three levels together: here, they have two.
    const notAbove60 = { question: 'your_age', op: 'at_most', value: 60 };
    expect(questions.get('love').show_if).toEqual({
      any: [
        { all: [{ question: 'pets', op: 'includes', value: 'd' }, notAbove60] },
        {
          all: [
            { question: 'your_age', op: 'at_most', value: 18 },
            { question: 'your_age', op: 'is_not', value: 18 },
            notAbove60,
          ],
        },
      ],
    });
    expect(JSON.stringify(questions.get('why').show_if)).toContain(
      '{"question":"grid","row":"food","op":"is","value":"bad"}',
    );
    expect([questions.get('love').section, questions.get('order').section]).toEqual([
      'More',
      undefined,
    ]);
    expect(lost).toEqual([
      expect.stringMatching(/^sign: .*signed/),
      expect.stringMatching(/^sum: the condition .*always shown/),
      'sum: the answer is validated',
      'null: texts in other languages',
    ]);
  });

  it('converts XLSForm, with its groups, constraints and relevance', async () => {
    const { document, questions, lost } = await imported('household.xlsx');
    expect(document.title).toBe('Household survey');
    expect([...questions.values()].map(({ key, type }) => `${key} ${type}`)).toEqual([
      ...['hello statement', 'members number', 'source single_choice', 'uses multiple_choice'],
      ...['which text', 'ok rating', 'agree checkbox'],
    ]);
    expect(questions.get('hello').question).toBe('Welcome to the <household> survey');
    expect(questions.get('members')).toMatchObject({ minimum: 1, maximum: 20 });
    const inGroup = { question: 'members', op: 'at_least', value: 2 };
    expect(questions.get('source')).toMatchObject({
      section: 'Water',
      show_if: { all: [inGroup] },
    });
    expect(questions.get('uses').show_if).toEqual({
      all: [inGroup, { question: 'source', op: 'is_not', value: 'well' }],
    });
    expect(questions.get('which').show_if).toEqual({
      all: [{ question: 'uses', op: 'includes', value: 'plants' }],
    });
    expect(questions.get('ok')).toMatchObject({
      scale: { min: 1, max: 5, step: 1 },
      show_if: {
        all: [{ question: 'members', op: 'at_most', value: 10 }],
      },
    });
    expect(questions.get('agree').must_be_true).toBe(true);
    expect(lost).toEqual([
      'start: start, which asks nothing',
      'which: the constraint regex(., "x")',
      'place: the question: there is no type geopoint here',
      'child: the questions that are repeated',
    ]);
  });

  it('converts LimeSurvey, with its relevance', async () => {
    const { document, questions, lost } = await imported(join(SAMPLES, 'limesurvey.lss'));
    expect(document).toMatchObject({ title: 'Travel survey', description: 'How you get to work.' });
    expect(questions.get('way').options).toEqual([
      { key: 'a1', text: 'By car' },
      { key: 'a2', text: 'By bike' },
      { key: 'oth', text: 'Other', other: true },
    ]);
    expect(questions.get('extras')).toMatchObject({
      options: [
        { key: 'sq1', text: 'A bag' },
        { key: 'sq2', text: 'Nothing', exclusive: true },
      ],
      show_if: { any: [{ value: 'a1' }, { value: 'a2' }] },
    });
    expect(questions.get('km')).toMatchObject({
      section: 'Details',
      maximum: 500,
      show_if: {
        all: [
          { question: 'way', op: 'answered' },
          { question: 'extras', op: 'includes', value: 'sq1' },
        ],
      },
    });
    expect(questions.get('freq')).toMatchObject({
      rows: [{ key: 'r1', text: 'In summer' }],
      options: [{ text: 'Rarely' }, { text: 'Often' }],
    });
    expect(lost).toEqual([
      'null: texts in other languages',
      expect.stringMatching(/^why: the condition .*strlen.*always shown/),
      'photo: the question: a file is uploaded',
    ]);
  });

  it('converts Qualtrics, with its display logic', async () => {
    const { questions, lost } = await imported(join(SAMPLES, 'qualtrics.json'));
    expect([...questions.values()].map(({ key, type }) => `${key} ${type}`)).toEqual([
      ...['intro statement', 'job single_choice', 'tools multiple_choice', 'hours number'],
      ...['agree matrix', 'nps nps', 'pay rating'],
    ]);
    expect(questions.get('intro').question).toBe('Hello there & welcome');
    expect(questions.get('job').options).toEqual([
      { key: '2', text: 'No' },
      { key: '1', text: 'Yes' },
      { key: '4', text: 'Other', other: true },
    ]);
    expect(questions.get('tools').show_if).toEqual({
      any: [
        { question: 'job', op: 'is', value: '1' },
        { question: 'job', op: 'is', value: '4' },
      ],
    });
    expect(questions.get('agree')).toMatchObject({
      section: 'The rest',
      show_if: {
        all: [
          { question: 'hours', op: 'at_least', value: 10 },
          { question: 'hours', op: 'is_not', value: 10 },
        ],
      },
    });
    expect(lost).toEqual([
      expect.stringContaining('branches between blocks'),
      expect.stringMatching(/^Agree: the text of one's own beside option 2/),
      expect.stringMatching(/^NPS: skip logic/),
      expect.stringMatching(/^Pay: the condition .*always shown/),
      'Spot: the question: there is no type HotSpot here',
    ]);
  });

  it('converts Google Forms, with its sections', async () => {
    const { questions, lost } = await imported(join(SAMPLES, 'google-forms.json'));
    expect([...questions.values()].map(({ type, section }) => [type, section])).toEqual([
      ['text', undefined],
      ['single_choice', undefined],
      ['statement', 'Details'],
      ['rating', 'Details'],
      ['matrix', 'Details'],
      ['date', 'Details'],
      ['text', 'Details'],
      ['checkbox', 'Details'],
    ]);
    expect(questions.get('question_10').question).toBe('Terms: I agree');
    expect(lost).toEqual([
      expect.stringMatching(/^question_2: .*another section/),
      'question_6: the time of day: the date is asked',
      expect.stringMatching(/^question_8: .*uploaded/),
      'question_9: a picture or video',
      'question_11: the question: it has too few options or rows',
    ]);
  });

  it('says what it cannot read, and replaces nothing', async () => {
    writeFileSync(join(cli.folder, 'other.json'), '{ "a": 1 }');
    writeFileSync(join(cli.folder, 'campaign.json'), '{}');
    writeFileSync(join(cli.folder, 'cut.xlsx'), XLSFORM.subarray(0, 100));
    writeFileSync(join(cli.folder, 'cut.lss'), '<document><questions>');
    for (const [argv, code, message] of [
      [['other.json', '--force'], 3, '--format'],
      [['cut.xlsx', '--force'], 3, 'cannot be read as xlsform'],
      [['cut.lss', '--force'], 3, 'cannot be read as limesurvey'],
      [['other.json', '--format', 'word', '--force'], 2, 'must be one of'],
      [['household.xlsx'], 3, '--force'],
    ] as const) {
      const ran = await cli.run(['import', ...argv]);
      expect([argv, ran.code, ran.stderr]).toEqual([argv, code, expect.stringContaining(message)]);
    }
  });

  it('prints the document for a pipe, and what it lost beside it', async () => {
    const ran = await cli.run(['import', 'household.xlsx', '-o', '-']);
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('reward_amount');
    expect(ran.stderr).toContain('place: the question');
  });
});
