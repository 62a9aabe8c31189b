import { question } from '../support/builders';
import { applied, apply, DOCUMENTS, Fields, newRef } from '../support/documents';
import { companyForAll } from '../support/fixtures';
import { itOnOneServer } from '../support/engines';
import { eventually } from '../support/eventually';
import { campaignStatus } from '../support/life';
import { untilLockWait } from '../support/lock-waits';
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

  describe('that waits for the campaign while its end passes', () => {
    /** Applies a document without the end, which waits until that has passed and work is done. */
    async function extendAtTheEnd(work = ''): Promise<string> {
      const ends_at = new Date(Date.now() + 1_500);
      const document = {
        external_ref: newRef(),
        ...DOCUMENTS.advertisement,
        is_live: true,
        starts_at: null,
      };
      const created = { ...document, ends_at: ends_at.toISOString() };
      const post_id = String((await applied(company.api, created)).post_id);
      let extending: Promise<Fields> = Promise.resolve({});
      await service.dataSource.transaction(async (other) => {
        await other.query('SELECT FROM campaign WHERE post_id = $1 FOR UPDATE', [post_id]);
        extending = applied(company.api, { ...document, ends_at: null });
        await untilLockWait(service.dataSource, 'SELECT "Campaign"');
        if (work !== '') {
          await other.query(work, [post_id]);
        }
        await eventually(() => {
          expect(Date.now()).toBeGreaterThan(ends_at.getTime());
        });
      });
      expect(await extending).toMatchObject({ result: 'updated', changed_fields: ['ends_at'] });
      return post_id;
    }

    itOnOneServer('leaves it live, as before and after the end', async () => {
      const postId = await extendAtTheEnd();
      const live = { is_live: true, status: 'live', status_reasons: [] };
      expect(await campaignStatus(company.api, postId)).toMatchObject(live);
    });

    itOnOneServer('leaves it stopped if a guardrail has stopped it meanwhile', async () => {
      const postId = await extendAtTheEnd(
        `UPDATE campaign SET is_live = false, stop_reason = 'guardrail', updated_by = 'service'
         WHERE post_id = $1`,
      );
      expect(await campaignStatus(company.api, postId)).toMatchObject({
        is_live: false,
        status: 'paused',
        stop_reason: 'guardrail',
      });
    });
  });
});
