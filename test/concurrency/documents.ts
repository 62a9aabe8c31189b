import { question } from '../support/builders';
import { applied, apply, DOCUMENTS, Fields, newRef } from '../support/documents';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('concurrent PUT /svc/campaign/apply', () => {
  const company = companyForAll();

  const stored = async (external_ref: string) => {
    const campaigns = await service.dataSource.query<{ post_id: string; sets: number }[]>(
      `SELECT post_id, count(question_id)::int AS sets
       FROM campaign LEFT JOIN question_set
         ON question_set.company_id = campaign.company_id AND campaign_id = id
       WHERE external_ref = $1 GROUP BY post_id`,
      [external_ref],
    );
    expect(campaigns).toHaveLength(1);
    return campaigns[0]!;
  };

  it('creates one campaign, which every response names', async () => {
    const document = { external_ref: newRef(), ...DOCUMENTS.questionnaire };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => applied(company.api, document)),
    );
    const { post_id, sets } = await stored(document.external_ref);
    expect(sets).toBe(1);
    expect(new Set(answers.map((answer) => answer.post_id))).toEqual(new Set([post_id]));
    expect(answers.map(({ result }) => result).sort()).toEqual([
      'created',
      ...Array<string>(49).fill('unchanged'),
    ]);
  });

  it('leaves the campaign as exactly one of several documents describes it', async () => {
    const external_ref = newRef();
    const variant = (n: number): Fields => ({
      external_ref,
      title: `Variant ${n}`,
      reward_amount: 10 + n,
      is_live: n % 2 === 0,
      questions: Array.from({ length: n + 1 }, () => question({ question: `Question ${n}` })),
    });
    await applied(company.api, {
      ...DOCUMENTS.questionnaire,
      cohort_rewards: undefined,
      ...variant(0),
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => apply(company.api, variant(n + 1))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const { post_id, sets } = await stored(external_ref);
    expect(sets).toBe(13);
    const { body: campaign } = await company.api.get(`/svc/campaign/${post_id}`);
    const last = variant(Number(String(campaign.data.title).replace('Variant ', '')));
    expect((await applied(company.api, last)).result).toBe('unchanged');
  });

  it('creates or changes the campaign as a whole where new documents differ', async () => {
    const external_ref = newRef();
    const variant = (n: number): Fields => ({
      external_ref,
      ...DOCUMENTS.advertisement,
      title: `Variant ${n}`,
      duration_seconds: n + 1,
      questions: [question({ question: `Question ${n}` })],
    });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => applied(company.api, variant(n))),
    );
    expect(answers.map(({ result }) => result).sort()).toEqual([
      'created',
      ...Array<string>(11).fill('updated'),
    ]);
    const { post_id } = await stored(external_ref);
    const { body: campaign } = await company.api.get(`/svc/campaign/${post_id}`);
    const last = variant(campaign.data.duration_seconds - 1);
    expect((await applied(company.api, last)).result).toBe('unchanged');
  });
});
