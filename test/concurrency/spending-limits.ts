import { createSurvey } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { committedBy, limitedKey, refusalOf, toggle } from '../support/spending';

/** Campaigns that are started at once, and how many of them the limit allows. */
const LAUNCHES = 50;
const ALLOWED = 3;

describe('the spending limit of an API key', () => {
  const company = companyForAll();

  const drafts = (count: number, max_responses: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        createSurvey(company.api, { reward_amount: 10, max_responses }),
      ),
    );

  it('lets as many campaigns start at once as it allows, and no more', async () => {
    const key = await limitedKey(company.account, 30 * ALLOWED + 5);
    const answers = await Promise.all(
      (await drafts(LAUNCHES, 3)).map(({ post_id }) => toggle(key.api, post_id, true)),
    );
    const refused = answers.filter(({ status }) => status !== 200).map(refusalOf);
    expect(refused).toEqual(
      Array(LAUNCHES - ALLOWED).fill({
        status: 422,
        code: 'spending_limit_exceeded',
        limit: 95,
        per: 'total',
        left: 5,
        required: 30,
        resets_at: null,
      }),
    );
    expect(await committedBy(company.account, key.key_id)).toBe(90);
  });

  it('holds while campaigns start and stop and two keys enlarge them', async () => {
    const keys = await Promise.all([
      limitedKey(company.account, 95),
      limitedKey(company.account, 95, 'day'),
    ]);
    const campaigns = await drafts(15, 1);
    const answers = await Promise.all(
      campaigns.flatMap(({ post_id }, index) => {
        const [one, other] = index % 2 === 0 ? keys : keys.toReversed();
        return [
          toggle(one!.api, post_id, true),
          other!.api.patch('/svc/campaign/update', { post_id, max_responses: 2 }),
          toggle(other!.api, post_id, false),
          toggle(one!.api, post_id, true),
        ];
      }),
    );
    const codes = new Set(answers.map(({ status, body }) => body.error?.code ?? status));
    expect([...codes].filter((code) => code !== 'spending_limit_exceeded')).toEqual([200]);
    let committed = 0;
    for (const { key_id } of keys) {
      const own = await committedBy(company.account, key_id);
      expect(own).toBeLessThanOrEqual(95);
      committed += own ?? 0;
    }
    let cost = 0;
    for (const { post_id } of campaigns) {
      const { is_live, max_responses } = (await company.api.get(`/svc/campaign/${post_id}`)).data;
      cost += is_live === true ? 10 * max_responses : 0;
    }
    expect(committed).toBe(cost);
  });
});
