import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { keyOf } from '../../src/campaigns/questions/shown.rules';
import { createSurvey } from '../support/builders';
import { begun, liveQuestionnaire, start, submit } from '../support/fielding';
import { companyForAll, companyForEach, platformForAll } from '../support/fixtures';
import { answersTo, areAccepted, Chosen, questionSets } from '../support/question-sets';
import { serviceForAll } from '../support/service';
import type { Question } from '../../src/campaigns/questions/question.types';
import { THOROUGH } from '../support/thorough';

/** Answers as a platform sends them, by positions and keys in turn. */
const sent = (questions: readonly Question[], answers: readonly Chosen[]) =>
  answers.map(({ position, isRight: _, ...given }) => ({
    question: position % 2 === 0 ? position : keyOf(questions[position - 1]!, position),
    ...given,
  }));

describe('sets of questions over HTTP', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it('take exactly the answers that a plain interpreter of the rules takes', async () => {
    let [accepted, refused] = [0, 0];
    const drawn = questionSets(7).chain((questions) =>
      fc.tuple(
        fc.constant(questions),
        fc.array(answersTo(questions), { minLength: 8, maxLength: 8 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async ([questions, submissions]) => {
        const postId = await liveQuestionnaire(company, questions);
        for (const [index, answers] of submissions.entries()) {
          const part = await begun(platform, postId, `${postId} ${index}`);
          const answer = await submit(platform, part, 9, sent(questions, answers));
          const isAccepted = areAccepted(questions, answers);
          expect([answer.status, answer.body.error?.details]).toEqual(
            isAccepted ? [200, undefined] : [400, expect.anything()],
          );
          accepted += isAccepted ? 1 : 0;
          refused += isAccepted ? 0 : 1;
        }
      }),
      { numRuns: THOROUGH ? 100 : 20 },
    );
    expect(accepted).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  });

  it('never mix versions while people answer and a set is replaced', async () => {
    const scale = { min: 1, max: 5 };
    const versions = [
      {
        questions: [
          { type: 'rating', key: 'first', question: 'How?', scale },
          {
            type: 'number',
            question: 'How many?',
            show_if: { all: [{ question: 'first', op: 'at_least', value: 3 }] },
          },
        ],
        answers: [
          { question: 'first', value: 5 },
          { question: 2, value: 7 },
        ],
      },
      {
        questions: [
          { type: 'checkbox', key: 'first', question: 'Yes?' },
          {
            type: 'text',
            question: 'Why?',
            show_if: { all: [{ question: 'first', op: 'is', value: false }] },
          },
        ],
        answers: [{ question: 1, value: true }],
      },
    ];
    const { post_id } = await createSurvey(company.api);
    const replace = async (version: number) => {
      const { questions } = versions[version % 2]!;
      const { status } = await company.api.post('/svc/survey/questions', { post_id, questions });
      expect(status).toBe(200);
    };
    await replace(0);
    await start(company.api, post_id);
    const answer = async (respondent: number) => {
      const part = await begun(platform, post_id, `${post_id} ${respondent}`);
      const version = part.content.questions[0].type === 'rating' ? 0 : 1;
      const [own, other] = [versions[version]!, versions[1 - version]!];
      expect(part.content.questions).toMatchObject(own.questions);
      expect((await submit(platform, part, 9, other.answers)).status).toBe(400);
      expect((await submit(platform, part, 9, own.answers)).status).toBe(200);
      return version;
    };
    const begunWith: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const answering = Array.from({ length: 6 }, (_, index) => answer(6 * round + index));
      await Promise.all([...answering, replace(round), replace(round + 1)]);
      begunWith.push(...(await Promise.all(answering)));
    }
    expect(new Set(begunWith).size).toBe(2);
    const { data } = await company.api.get(`/svc/campaign/${post_id}/responses?limit=100`);
    const lengths = data.items.map(({ answers }: { answers: unknown[] }) => answers.length);
    expect(lengths.toSorted()).toEqual(begunWith.map((version) => 2 - version).toSorted());
  });

  describe('with as much logic as there can be', () => {
    // Their tally is large, and each erasure in an embedded database writes all of it anew.
    const own = serviceForAll();
    const platform = platformForAll(own);
    const company = companyForEach(own);
    const onlyIf = (question: string, value: unknown, op = 'is') => ({
      show_if: { all: [{ question, op, value }] },
    });
    /** 300 questions, each of which is shown by the one before. */
    const chain = Array.from({ length: 300 }, (_, index) => ({
      type: 'single_choice',
      key: `k${index}`,
      question: `Question ${index}?`,
      options: ['yes', 'no', 'perhaps'],
      ...(index === 0 ? {} : onlyIf(`k${index - 1}`, 'yes')),
    }));
    /** Questions with 2,000 options each, as many as a set can have. */
    const wide = Array.from({ length: 300 }, (_, index) => ({
      type: index < 12 ? 'multiple_choice' : 'checkbox',
      key: `k${index}`,
      question: `Question ${index}?`,
      ...(index < 12 ? { options: Array.from({ length: 2_000 }, (_each, at) => `o${at}`) } : {}),
      ...(index === 0
        ? {}
        : index <= 12
          ? onlyIf(`k${index - 1}`, `o${index}`, 'includes')
          : onlyIf(`k${index - 1}`, true)),
    }));

    it.each([
      ['a chain', chain, chain.map(({ key: question }) => ({ question, value: 'yes' }))],
      [
        'many options',
        wide,
        wide.map(({ key: question, options }) => ({ question, value: options ?? true })),
      ],
    ])('are stored and answered in bounded time: %s', async (_, questions, answers) => {
      const postId = await liveQuestionnaire(company, [{ type: 'text', question: 'Why?' }]);
      const [stored, submitted]: number[][] = [[], []];
      const cpuOf = async (work: () => Promise<{ status: number }>) => {
        const before = process.cpuUsage();
        const began = performance.now();
        expect((await work()).status).toBe(200);
        const { user, system } = process.cpuUsage(before);
        return Math.min(performance.now() - began, (user + system) / 1_000);
      };
      for (let round = 0; round < 5; round += 1) {
        const content = { post_id: postId, questions };
        stored!.push(await cpuOf(() => company.api.post('/svc/survey/questions', content)));
        const part = await begun(platform, postId, `${postId} ${round}`);
        submitted!.push(await cpuOf(() => submit(platform, part, 9, answers)));
      }
      expect(Math.min(...stored!)).toBeLessThan(300);
      expect(Math.min(...submitted!)).toBeLessThan(300);
    });
  });
});
