import { toCondition } from './condition.dto';

describe('a condition as it is stored', () => {
  it('has a strict confidence by default, if its metric has one', () => {
    const share = { metric: 'reversed_share', op: 'gt', value: 0.5 } as const;
    expect(toCondition(share).confidence).toBe(0.9999);
    expect(toCondition({ ...share, confidence: 0 }).confidence).toBe(0);
    expect(toCondition({ ...share, metric: 'spent' })).not.toHaveProperty('confidence');
  });

  it('has 0 for -0, which JSON in the database does not have', () => {
    const condition = { metric: 'spent', op: 'gt', minimum_responses: 1 } as const;
    expect(toCondition({ ...condition, value: -0 })).toEqual({ ...condition, value: 0 });
  });
});
