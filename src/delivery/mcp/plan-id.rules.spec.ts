import { planIdOf, plannedVersion } from './plan-id.rules';

describe('a plan_id', () => {
  const document = { external_ref: 'a', questions: [{ type: 'text', question: 'Why?' }] };
  const planId = planIdOf('co_1', document, 7);

  it('stands for the version and the document, in whatever order of fields', () => {
    const same = { questions: [{ question: 'Why?', type: 'text' }], external_ref: 'a' };
    expect(plannedVersion('co_1', same, planId)).toBe(7);
    expect(planIdOf('co_1', same, 7)).toBe(planId);
  });

  it.each([
    ['another document', 'co_1', { ...document, is_live: true }, planId],
    ['another order of a list', 'co_1', { ...document, questions: [] }, planId],
    ['another company', 'test_1', document, planId],
    ['another version', 'co_1', document, planId.replace('plan_7', 'plan_8')],
    ['no plan', 'co_1', document, 'plan_7'],
  ])('of %s is refused', (_, company, given, id) => {
    expect(plannedVersion(company, given, id)).toBeUndefined();
  });
});
