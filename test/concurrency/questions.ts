import { createSurvey, question } from '../support/builders';
import { registerCompany } from '../support/client';
import { service } from '../support/service';
import { currentQuestionSet, storedQuestionSets } from '../support/stored';

describe('thirty concurrent replacements of questions', () => {
  it('end with one current set and all of them stored', async () => {
    const { client, dataSource } = service;
    const { api } = await registerCompany(client);
    const { post_id } = await createSurvey(api);
    const requests = Array.from({ length: 30 }, (_, index) =>
      Array.from({ length: (index % 5) + 1 }, (__, at) => question({ question: `${index}.${at}` })),
    );
    const answers = await Promise.all(
      requests.map((questions) => api.post('/svc/survey/questions', { post_id, questions })),
    );
    answers.forEach(({ status }) => expect(status).toBe(200));
    const expected = answers.map(({ body }, index) => ({
      question_id: body.data.question_id,
      questions: requests[index],
      total_questions: requests[index]!.length,
    }));
    const stored = await storedQuestionSets(dataSource, post_id);
    expect(stored).toHaveLength(30);
    expect(stored).toEqual(expect.arrayContaining(expected));
    const current = await currentQuestionSet(dataSource, post_id);
    expect(stored.map(({ question_id }) => question_id)).toContain(current);
  });
});
