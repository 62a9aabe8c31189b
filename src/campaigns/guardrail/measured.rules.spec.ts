import { toCondition } from './condition.dto';
import { meanOfAnswers } from './measured.rules';

describe('the mean of answers that are fractions', () => {
  const condition = toCondition({ metric: 'mean_rating', op: 'gt', value: 0.1, question: 1 });

  it.each([
    [[0.1, 0.1, 0.1], 0.1],
    [[0.7, 0.1, 0.4], 0.4],
    [[1.1, 2.2, 3.3], 2.2],
  ])('has no noise in its last digits: %j', (answers, mean) => {
    expect(meanOfAnswers(answers, condition).value).toBe(mean);
  });
});
