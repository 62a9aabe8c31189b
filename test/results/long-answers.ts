import { choice } from '../support/builders';
import { registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { begun, liveQuestionnaire, submit } from '../support/fielding';
import { platformForAll } from '../support/fixtures';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** The most that a question set asks, and a response to it that ticks everything. */
const OPTIONS = Array.from({ length: 250 }, (_, option) => `Option ${option} of this question`);
/** The most bytes that an option has, none of which compression saves. */
const LONGEST = String.fromCodePoint(...Array.from({ length: 500 }, (_, at) => 0x20000 + 37 * at));
const QUESTIONS = Array.from({ length: 100 }, (_, question) =>
  choice({
    type: 'multiple_choice',
    question: `Which of ${question}?`,
    options: question === 0 ? [LONGEST, ...OPTIONS.slice(1)] : OPTIONS,
  }),
);
const ANSWERS = QUESTIONS.map(({ options }, index) => ({ question: index + 1, value: options }));

describe('responses with the longest answers', () => {
  const platform = platformForAll();

  it('are counted a few at a time, so that each statement ends soon', async () => {
    const company = await registerCompany(service.client);
    const post_id = await liveQuestionnaire(company, QUESTIONS);
    for (let respondent = 1; respondent <= 5; respondent += 1) {
      const place = await begun(platform, post_id, `respondent-${respondent}`);
      expect((await submit(platform, place, 9, ANSWERS)).status).toBe(200);
    }
    const counted: number[] = [];
    await eventually(async () => {
      const [row] = await service.dataSource.query<[{ folded: number }]>(
        'SELECT folded FROM fold_responses($1, 1000)',
        [storedEnvironment(company.companyId)],
      );
      counted.push(row.folded);
      const tallied = await service.dataSource.query<unknown[]>(
        `SELECT FROM tally AS t JOIN campaign AS c ON c.company_id = t.company_id
         AND c.id = t.campaign_id WHERE c.post_id = $1 AND t.kind = 'counted' AND t.cohort_5 = 5`,
        [post_id],
      );
      expect(tallied).toHaveLength(1);
    });
    expect(Math.max(...counted)).toBeLessThanOrEqual(2);
    expect(Math.max(...counted)).toBeGreaterThan(0);
    const { responses, questions } = await resultsOf(service.dataSource, company, post_id);
    expect(responses.submitted).toBe(5);
    expect(questions).toHaveLength(QUESTIONS.length);
    expect(questions[0].options[0]).toMatchObject({ value: LONGEST, count: 5 });
  });
});
