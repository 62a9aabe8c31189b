import { createSurvey } from '../support/builders';
import { itOnOneServer } from '../support/engines';
import { begun, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { untilLockWait } from '../support/lock-waits';
import { recount, resultsOf, tallied } from '../support/recount';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/http/environment.rules';

const QUESTIONS = [
  { type: 'single_choice', question: 'How often?', options: ['Daily', 'Never'] },
  { type: 'multiple_choice', question: 'Which?', options: ['Tea', 'Milk', 'Water'] },
];

/** Nobody but the erased respondent answers this, in cohort 2. */
const OWN = [
  { question: 1, value: 'Never' },
  { question: 2, value: ['Milk', 'Tea'] },
];

const OTHER = [
  { question: 1, value: 'Daily' },
  { question: 2, value: ['Tea'] },
];

describe('an erasure', () => {
  const platform = platformForAll();
  const company = companyForEach();
  let postId: string;
  let respondent: string;

  beforeEach(async () => {
    ({ post_id: postId } = await createSurvey(company.api));
    await company.api.post('/svc/survey/questions', { post_id: postId, questions: QUESTIONS });
    await start(company.api, postId);
    respondent = `${company.companyId} ann`;
    await answer(`${company.companyId} bob`, 9, OTHER);
    // Makes the position of the tally, which the tests below lock.
    await results();
  });

  async function answer(who: string, score: number, answers: unknown[]): Promise<void> {
    const { status } = await submit(platform, await begun(platform, postId, who), score, answers);
    expect(status).toBe(200);
  }

  const results = () => resultsOf(service.dataSource, company, postId);

  async function countErased(): Promise<number> {
    const path = '/svc/fielding/erase-respondent';
    return (await platform.post(path, { respondent_id: respondent })).body.data.participations;
  }

  const erase = async () => {
    expect(await countErased()).toBe(1);
  };

  async function expectNoTrace(): Promise<void> {
    const { responses, questions, attention, cohorts } = await results();
    expect(responses).toEqual({ submitted: 2, reversed: 0, erased: 1, counted: 1 });
    expect(attention.mean).toBe(9);
    expect(cohorts.map((each: any) => each.responses)).toEqual([0, 0, 0, 0, 1]);
    expect(
      questions.map(({ answered, options }: any) => [
        answered,
        options.map(({ count }: any) => count),
      ]),
    ).toEqual([
      [1, [1, 0]],
      [1, [1, 0, 0]],
    ]);
    const expected = await recount(service.dataSource, company.companyId);
    expect(await tallied(service.dataSource, company.companyId)).toEqual(expected);
  }

  it('before the fold leaves no trace of the answers in the counts', async () => {
    await answer(respondent, 3, OWN);
    await erase();
    await expectNoTrace();
  });

  it('after the fold leaves no trace of the answers in the counts', async () => {
    await answer(respondent, 3, OWN);
    expect((await results()).responses).toMatchObject({ counted: 2 });
    await erase();
    await expectNoTrace();
  });

  itOnOneServer('beside another one counts what it has erased itself', async () => {
    await answer(respondent, 3, OWN);
    const holder = service.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT FROM tally_position WHERE company_id = $1 FOR UPDATE', [
      storedEnvironment(company.companyId),
    ]);
    const first = countErased();
    await untilLockWait(service.dataSource, 'recount_responses');
    const second = countErased();
    await untilLockWait(service.dataSource, 'respondent IS NOT NULL AS known');
    await holder.commitTransaction();
    await holder.release();
    expect(await Promise.all([first, second])).toEqual([1, 0]);
    await expectNoTrace();
  });

  describe.each(['fold', 'erasure'] as const)('during a fold, with the %s first,', (first) => {
    itOnOneServer('leaves no trace of the answers in the counts', async () => {
      const holder = service.dataSource.createQueryRunner();
      await holder.startTransaction();
      await holder.query('SELECT FROM tally_position WHERE company_id = $1 FOR UPDATE', [
        storedEnvironment(company.companyId),
      ]);
      await answer(respondent, 3, OWN);
      const work = {
        fold: async () => {
          await results();
        },
        erasure: erase,
      };
      const statements = { fold: 'fold_responses', erasure: 'recount_responses' };
      const second = first === 'fold' ? 'erasure' : 'fold';
      const begun = [work[first]()];
      await untilLockWait(service.dataSource, statements[first]);
      begun.push(work[second]());
      await untilLockWait(service.dataSource, statements[second]);
      await holder.commitTransaction();
      await holder.release();
      await Promise.all(begun);
      await expectNoTrace();
    });
  });
});
