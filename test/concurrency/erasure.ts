import { EvaluationService } from '../../src/campaigns/guardrail/evaluation.service';
import { GuardrailWatcher } from '../../src/campaigns/guardrail/guardrail-watcher.service';
import { createSurvey } from '../support/builders';
import { itOnOneServer } from '../support/engines';
import { begun, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { createGuardrail, untilGuardrailsRead } from '../support/guardrails';
import { untilLockWait } from '../support/lock-waits';
import { untilNumbered } from '../support/numbering';
import { recount, resultsOf, tallied } from '../support/recount';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

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

/** What no other code uses of the watcher. */
interface Private {
  lanes: { add: () => void };
}

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

  itOnOneServer('lets the first guardrail of the company wait for its end', async () => {
    const companyId = storedEnvironment(company.companyId);
    const holder = service.dataSource.createQueryRunner();
    let creation: Promise<unknown> | undefined;
    await holder.startTransaction();
    try {
      await holder.query("SELECT forget_signals($1, '{}', '{}')", [companyId]);
      creation = createGuardrail(company.api, {});
      await untilLockWait(service.dataSource, 'guardrail_position');
    } finally {
      await holder.commitTransaction();
      await holder.release();
    }
    await creation;
    const positions = await service.dataSource.query(
      'SELECT FROM guardrail_position WHERE company_id = $1',
      [companyId],
    );
    expect(positions).toHaveLength(1);
  });

  describe.each(['guardrail', 'erasure'] as const)('beside a guardrail, the %s first,', (first) => {
    itOnOneServer('leaves no signals of quality in what the guardrail remembers', async () => {
      const share = {
        metric: 'flagged_share',
        signal: 'repeated_text',
        op: 'gt',
        value: 0.9,
        confidence: 0,
      };
      await createGuardrail(company.api, { when: { all: [{ ...share, last: 100 }] } });
      const questions = [{ type: 'text', question: 'Why?' }];
      await company.api.post('/svc/survey/questions', { post_id: postId, questions });
      const value = 'Because it has never been better';
      const watched = service.app.get(EvaluationService);
      const add = jest.spyOn(service.app.get<Private>(GuardrailWatcher).lanes, 'add');
      add.mockImplementation(() => undefined);
      const companyId = storedEnvironment(company.companyId)!;
      const holder = service.dataSource.createQueryRunner();
      try {
        await answer(respondent, 9, [{ question: 1, value }]);
        await untilNumbered(service.dataSource, company.companyId);
        await holder.startTransaction();
        await holder.query('SELECT FROM guardrail_position WHERE company_id = $1 FOR UPDATE', [
          companyId,
        ]);
        const work = { guardrail: () => watched.advance(companyId), erasure: erase };
        const statements = { guardrail: 'advance_guardrails', erasure: 'forget_signals' };
        const second = first === 'guardrail' ? 'erasure' : 'guardrail';
        const begun: Promise<unknown>[] = [work[first]()];
        await untilLockWait(service.dataSource, statements[first]);
        begun.push(work[second]());
        await untilLockWait(service.dataSource, statements[second]);
        await holder.commitTransaction();
        await Promise.all(begun);
      } finally {
        await holder.release();
        add.mockRestore();
      }
      await watched.advance(companyId);
      await untilGuardrailsRead(service.dataSource, company.companyId);
      const [{ quality }] = await service.dataSource.query(
        `SELECT state -> 'window' -> 'quality' AS quality FROM guardrail_watch
         WHERE company_id = $1`,
        [companyId],
      );
      expect(quality).toEqual([0]);
    });
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
