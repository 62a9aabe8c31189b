import fc from 'fast-check';
import type { Question } from '../../src/campaigns/questions/question.types';
import { createImageSurvey, createSurvey, images } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { start, submit } from '../support/fielding';
import { platformForAll } from '../support/fixtures';
import { QUESTIONS as EVERY_TYPE } from '../support/every-type';
import { answersFrom, questionSets } from '../support/question-sets';
import { recount, resultsOf, tallied } from '../support/recount';
import { service } from '../support/service';
import { beginAs, MEN, quota, setTargeting, WOMEN } from '../support/targeting';
import { THOROUGH } from '../support/thorough';

const OPTIONS = ['Daily', 'Weekly', 'Never'];

const QUESTIONS = [
  { type: 'single_choice', question: 'How often?', options: OPTIONS },
  { type: 'multiple_choice', question: 'Which?', options: ['x', 'y', 'é'], required: false },
  { type: 'text', question: 'Favourite bean?' },
  { type: 'descriptive', question: 'Why?', required: false },
];

/** Quotas of which two match some respondents; the others come and go. */
const QUOTAS = [quota('women', WOMEN, 90), quota('young', { age: [{ from: 0, to: 30 }] }, 90)];
const OTHER_QUOTAS = [quota('men', MEN, 90), quota('old', { age: [{ from: 31 }] }, 90)];

/** What is known of a respondent. */
const attributesOf = (who: number) => ({
  gender: ['female', 'male', 'other'][who % 3],
  age: 10 * who,
});

const CHANGED = [{ type: 'single_choice', question: 'Again?', options: ['yes', 'no'] }];

/** Each type, and questions that are shown to some respondents only. */
const ALL_TYPES = [
  ...EVERY_TYPE,
  {
    type: 'text',
    question: 'Why so little?',
    show_if: { all: [{ question: 'taste', op: 'at_most', value: 2 }] },
  },
  {
    type: 'checkbox',
    question: 'Really nothing?',
    show_if: { all: [{ question: 'milk', op: 'includes', value: 'none' }] },
  },
] as unknown as Question[];

/** A step: who does what with which campaign, and a number that decides the answers. */
const step = fc.record({
  what: fc.constantFrom(
    ...[
      'submit',
      'submit',
      'submit',
      'submit',
      'abandon',
      'reverse',
      'erase',
      'read',
      'replace',
      'target',
    ],
  ),
  campaign: fc.nat(4),
  who: fc.nat(7),
  n: fc.nat(1_000),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Everybody submits to three campaigns, to the second with the same value for each image. */
const ALIKE = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((who): Step[] => [
  { what: 'submit', campaign: 0, who, n: 3 * who },
  { what: 'submit', campaign: 1, who, n: 3 * who },
  { what: 'submit', campaign: 4, who, n: 11 * who },
  ...(who === 3 ? [{ what: 'read', campaign: 4, who, n: 0 }] : []),
  ...(who === 5 ? [{ what: 'reverse', campaign: 4, who: 2, n: 0 }] : []),
  ...(who === 7 ? [{ what: 'erase', campaign: 4, who: 1, n: 0 }] : []),
]);

describe('the tally', () => {
  const platform = platformForAll();
  let company: TestCompany;
  let postIds: string[];
  let replaced: boolean;
  let retargeted: boolean;

  async function prepare(questions: unknown[]): Promise<void> {
    company = await registerCompany(service.client);
    const { api } = company;
    const questionnaire = await createSurvey(api);
    await api.post('/svc/survey/questions', {
      post_id: questionnaire.post_id,
      questions: QUESTIONS,
    });
    replaced = false;
    const slider = await createImageSurvey(api, 'slider', {
      scale: { min: -5, max: 5, step: 0.05 },
      images: images(5),
    });
    const undecided = { allow_ties: true, allow_skips: true };
    const binary = await createImageSurvey(api, 'binary', undecided);
    const pairs = await createImageSurvey(api, 'round-robin', { images: images(5), ...undecided });
    const mixed = await createSurvey(api);
    await api.post('/svc/survey/questions', { post_id: mixed.post_id, questions });
    postIds = [questionnaire, slider, binary, pairs, mixed].map(({ post_id }) => post_id);
    retargeted = false;
    for (const postId of postIds) {
      await setTargeting(api, postId, { quotas: QUOTAS });
      await start(api, postId);
    }
  }

  function answersOf({ campaign, n }: Step, content: Record<string, any>): unknown[] {
    switch (campaign) {
      case 0:
        return content.questions.length === 1
          ? [{ question: 1, value: ['yes', 'no'][n % 2] }]
          : [
              { question: 1, value: OPTIONS[n % 3] },
              ...(n % 4 === 0 ? [] : [{ question: 2, value: ['x', 'y', 'é'].slice(n % 3) }]),
              { question: 3, value: `My favourite bean is that of ${n % 9} countries` },
              ...(n % 5 === 0 ? [{ question: 4, value: 'Because' }] : []),
            ];
      case 1: {
        // Every second time whole numbers from -2 to 2, so that sums of ratings often come to 0.
        const { values, parts } =
          n % 2 === 0 ? { values: 5, parts: 1 } : { values: 201, parts: 20 };
        return [1, 2, 3, 4, 5].map((image) => ({
          image,
          value: (((n * (n % 3 === 0 ? 1 : image)) % values) - (values - 1) / 2) / parts,
        }));
      }
      case 2:
        return [{ value: [1, 2, 'tie', 'skip'][n % 4] }];
      case 4:
        return answersFrom(content.questions, n);
      default:
        return [1, 2, 3, 4]
          .flatMap((a) => [2, 3, 4, 5].filter((b) => b > a).map((b) => [a, b]))
          .map((images, bit) => ({
            images,
            // Every third response decides all pairs.
            value: [...images, n % 3 === 0 ? images[0] : 'tie', n % 3 === 0 ? images[1] : 'skip'][
              (n >> bit) & 3
            ],
          }));
    }
  }

  async function take(each: Step): Promise<void> {
    const post_id = postIds[each.campaign]!;
    const respondent_id = `${company.companyId} ${each.who}`;
    switch (each.what) {
      case 'erase':
        await platform.post('/svc/fielding/erase-respondent', { respondent_id });
        return;
      case 'read':
        await company.api.get(`/svc/campaign/${post_id}/results`);
        return;
      case 'target':
        retargeted = !retargeted;
        await setTargeting(company.api, post_id, {
          quotas: retargeted ? OTHER_QUOTAS : [...QUOTAS, ...OTHER_QUOTAS],
        });
        return;
      case 'replace':
        replaced = !replaced;
        await company.api.post('/svc/survey/questions', {
          post_id: postIds[0],
          questions: replaced ? CHANGED : QUESTIONS,
        });
        return;
    }
    const { data: part } = await beginAs(platform, post_id, respondent_id, attributesOf(each.who));
    const { participation_id } = part;
    if (each.what === 'submit') {
      const answers = answersOf(each, part.content);
      const { body } = await submit(platform, part, (each.n % 101) / 10, answers);
      expect(JSON.stringify(body)).not.toContain('validation_failed');
    } else {
      const reason = 'Fraud';
      await platform.post(`/svc/fielding/${each.what}`, {
        post_id,
        participation_id,
        ...(each.what === 'reverse' ? { reason } : {}),
      });
    }
  }

  it('equals a plain recount, also of each quota, after random submits, reversals, erasures and replaced questions', async () => {
    let [counted, flagged, hidden, inQuotas] = [0, 0, 0, 0];
    const isAsked = ({ asked }: any) => asked !== undefined;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
        questionSets(18),
        async (steps, questions) => {
          await prepare(questions);
          // Three at a time, so that reversals and erasures meet folds and submissions.
          const queue = [...steps];
          const work = async () => {
            for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
              await take(next);
            }
          };
          await Promise.all([work(), work(), work()]);
          const results = await Promise.all(
            postIds.map((postId) => resultsOf(service.dataSource, company, postId)),
          );
          const expected = await recount(service.dataSource, company.companyId);
          expect(await tallied(service.dataSource, company.companyId)).toEqual(expected);
          for (const { as_of: _, ...unweighted } of results) {
            const path = `/svc/campaign/${unweighted.post_id}/results?weights=1,1,1,1,1`;
            const { as_of: __, ...weighted } = (await company.api.get(path)).body.data;
            expect(weighted).toEqual(unweighted);
            const { quotas } = (await company.api.get(path.replace(/results.*/, 'quotas'))).data;
            for (const { name, submitted } of quotas) {
              const { data } = await company.api.get(path.replace(/weights.*/, `quota=${name}`));
              // The first campaign has responses to several versions.
              const isWhole = unweighted.post_id !== postIds[0];
              expect(data).toEqual({
                ...data,
                quota: name,
                responses: {
                  ...unweighted.responses,
                  counted: isWhole ? submitted : data.responses.counted,
                },
                timeline: unweighted.timeline,
              });
              expect(data.responses.counted).toBeLessThanOrEqual(submitted);
              inQuotas += submitted;
            }
          }
          for (const { responses, cohorts, timeline, funnel, quality, questions } of results) {
            for (const { asked, not_shown, answered = 0 } of questions.filter(isAsked)) {
              expect(asked + not_shown).toBe(responses.counted);
              expect(answered).toBeLessThanOrEqual(asked);
              hidden += not_shown;
            }
            const { submitted, reversed, erased, counted: kept } = responses;
            expect(submitted).toBe(reversed + erased + kept);
            counted += kept;
            quality.forEach((each: any) => (flagged += each.flagged));
            const sum = (list: any[], field: string) =>
              list.reduce((total, each) => total + each[field], 0);
            expect(sum(cohorts, 'responses')).toBe(kept);
            expect(sum(timeline, 'submitted')).toBe(funnel.submitted);
            expect(funnel.begun).toBe(
              funnel.open + funnel.submitted + funnel.abandoned + funnel.expired,
            );
          }
        },
      ),
      {
        numRuns: Number(process.env.RESULTS_RUNS ?? (THOROUGH ? 7 : 3)),
        // The first run, so that there is something to count whatever the random steps are.
        examples: [[ALIKE, ALL_TYPES]],
      },
    );
    expect(counted).toBeGreaterThan(10);
    expect(flagged).toBeGreaterThan(3);
    expect(hidden).toBeGreaterThan(3);
    expect(inQuotas).toBeGreaterThan(10);
  }, 120_000);
});
