import { toCondition } from './condition.dto';

describe('a condition as it is stored', () => {
  it('has 0 for -0, which JSON in the database does not have', () => {
    const condition = { metric: 'spent', op: 'gt', minimum_responses: 1 } as const;
    expect(toCondition({ ...condition, value: -0 })).toEqual({ ...condition, value: 0 });
  });
});
