import { randomUUID } from 'node:crypto';
import { survey } from '../support/builders';
import { Client } from '../support/client';
import { LANGUAGES, QUESTIONS } from '../support/every-type';
import { expectReconciled, start } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { respondentId } from '../../src/insight/simulation/respondent.rules';
import { service } from '../support/service';

const scale = { min: 1, max: 5 };

/** Further ways in which types can be asked. */
const MORE = [
  { type: 'descriptive', question: 'Why?', minimum_length: 30, required: false },
  { type: 'single_choice', question: 'Which?', options: ['a', { text: 'b', other: true }] },
  { type: 'matrix', question: 'How?', rows: ['x', 'y', 'z', 'u', 'v'], scale },
  { type: 'matrix', question: 'Which?', rows: ['x', 'y'], options: ['a', 'b'], several: true },
  { type: 'ranking', question: 'What first?', options: ['a', 'b', 'c'], rank_at_most: 2 },
];

describe('a campaign with questions of every type', () => {
  const company = companyForAll();
  const seed = 4_711;
  let api: Client;

  beforeAll(async () => {
    ({ api } = await generateKey(company.account, service.client, { mode: 'test' }));
  });

  /** Expects a request to succeed, and returns its result. */
  async function succeed(answer: ReturnType<Client['post']>): Promise<any> {
    const { status, body } = await answer;
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  }

  it('is applied, copied, forecast, simulated, read, archived, restored and erased', async () => {
    const questions = [...QUESTIONS, ...MORE];
    const document = survey({
      type: 'survey',
      external_ref: randomUUID(),
      questions,
      ...LANGUAGES,
      guardrails: [
        {
          name: 'Disliked',
          when: { all: [{ metric: 'mean_rating', question: 'q5', last: 9, op: 'lt', value: 0 }] },
          then: 'stop',
        },
      ],
    });
    const apply = (fields: object) => succeed(api.put('/svc/campaign/apply', fields));
    const { post_id: original } = await apply(document);
    expect(await apply(document)).toMatchObject({ result: 'unchanged' });
    const shorter = { ...document, questions: questions.slice(0, -1), dry_run: true };
    expect(await apply(shorter)).toMatchObject({
      result: 'updated',
      changed_fields: ['questions'],
    });
    const { post_id } = await succeed(api.post('/svc/campaign/duplicate', { post_id: original }));
    const check = await succeed(api.get(`/svc/campaign/${post_id}/launch-check`));
    expect(check.paths).toMatchObject({ shortest: 14, longest: 15 });
    const request = { post_id, respondents: 50, runs: 100, seed };
    expect(await succeed(api.post('/svc/campaign/forecast', request))).toMatchObject({ seed });

    await start(api, post_id);
    const simulation = { post_id, respondents: 40, seed, abandon_rate: 0 };
    expect(await succeed(api.post('/svc/campaign/simulate', simulation))).toMatchObject({
      submitted: 40,
      refused: [],
    });
    expect(await succeed(api.post('/svc/campaign/simulate', simulation))).toMatchObject({
      begun: 40,
      submitted: 40,
    });
    const read = () => succeed(api.get(`/svc/campaign/${post_id}/responses?limit=100`));
    const before = await read();
    expect(before.items).toHaveLength(40);
    const answered = new Set(
      before.items.flatMap(({ answers }: any) => answers.map(({ question }: any) => question)),
    );
    // All but the statement.
    expect(answered.size).toBe(questions.length - 1);
    const [{ answers, participation_id }] = before.items;
    for (const { question, value } of answers) {
      const isMatrix = typeof value === 'object' && !Array.isArray(value);
      const query = new URLSearchParams({
        question: String(question),
        ...(isMatrix ? {} : { answer: String([value].flat()[0]) }),
      });
      const path = `/svc/campaign/${post_id}/responses?limit=100&${query.toString()}`;
      const { items } = await succeed(api.get(path));
      const found = items.map((each: any) => each.participation_id);
      expect([question, found]).toEqual([question, expect.arrayContaining([participation_id])]);
    }
    const results = () => succeed(api.get(`/svc/campaign/${post_id}/results`));
    expect((await results()).questions).toHaveLength(questions.length);
    await expectReconciled(api);

    await succeed(api.post('/svc/campaign/archive', { post_id }));
    expect(await read()).toEqual(before);
    await succeed(api.post('/svc/campaign/unarchive', { post_id }));
    const stored = await succeed(api.get(`/svc/campaign/${post_id}/questions`));
    expect(stored).toMatchObject({ questions: stored.questions, ...LANGUAGES });
    expect(stored.questions).toHaveLength(questions.length);

    const respondent_id = respondentId(seed, 1);
    expect(await succeed(api.post('/svc/fielding/erase-respondent', { respondent_id }))).toEqual({
      participations: 1,
    });
    const after = await read();
    const erased = after.items.filter(({ answers }: any) => answers.length === 0);
    expect(erased).toHaveLength(1);
    await results();
    await expectReconciled(api);
  });
});
