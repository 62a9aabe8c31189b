import * as fc from 'fast-check';
import { choice, question } from '../support/builders';
import { applied, apply, DOCUMENTS, Fields, newRef, storedRows } from '../support/documents';
import { LIVE } from '../support/life';
import { companyForAll } from '../support/fixtures';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

/** Small pools, so that documents often agree with what is stored and often do not. */
const pick = <T>(...values: T[]) => fc.constantFrom(...values);

const cohorts = fc.record({
  cohort_1_reward: pick(3, 4.5),
  cohort_2_reward: pick(0, 0.01),
  cohort_3_reward: pick(6, 60),
  cohort_4_reward: pick(8, 80),
  cohort_5_reward: pick(10, 99.5),
});

/** Fields that fit some kinds of campaign and not others. */
const field = fc.oneof(
  fc.record({ title: pick('Tea', ' Tea ', 'Coffee habits') }),
  fc.record({ content_url: pick(null, 'https://example.com/', 'https://example.org/') }),
  fc.record({ reward_amount: pick(1, 10, 10.5, 99.5) }),
  fc.record({ cohort_rewards: cohorts }),
  fc.record({ reward_amount: pick(10, 99.5), cohort_rewards: cohorts }),
  fc.record({ questions: pick([question()], [question(), choice()], [choice()]) }),
  fc.record({ question: pick('Which one?', 'This or that?') }),
  fc.record({ images: pick(DOCUMENTS.binary.images, DOCUMENTS.round_robin.images) }),
  fc.record({ scale: pick({}, { min: -5, max: 5, step: 0.5 }) }),
  fc.record({ has_feedback: fc.boolean() }),
  fc.record({ duration_seconds: pick(30, 31) }),
  fc.record({ format: pick('questionnaire', 'binary') }),
  fc.record({ type: pick('survey', 'advertisement') }),
  fc.record({ is_live: fc.boolean() }),
  fc.record({ starts_at: pick(null, '2001-01-01T00:00:00Z', '2098-01-01T00:00:00Z') }),
  fc.record({ ends_at: pick(null, '2002-01-01T00:00:00Z', '2097-01-01T00:00:00Z') }),
  fc.record({ max_responses: pick(null, 1, 500) }),
  fc.record({ budget: pick(null, 5, 40000) }),
) as fc.Arbitrary<Fields>;

const changes = fc
  .array(field, { minLength: 1, maxLength: 2 })
  .map((fields): Fields => Object.assign({}, ...fields) as Fields);

/** The documents of one campaign in sequence; the first may or may not create it. */
const life = fc
  .tuple(pick(...Object.values(DOCUMENTS), {}), fc.array(changes, { minLength: 1, maxLength: 4 }))
  .map(([first, more]): Fields[] => [first as Fields, ...more]);

describe('PUT /svc/campaign/apply with dry_run', () => {
  const company = companyForAll();

  it('reports what would happen, writes nothing and has no post_id yet', async () => {
    const before = await storedRows(company);
    const external_ref = newRef();
    const document = { external_ref, ...DOCUMENTS.questionnaire, dry_run: true };
    const { status, body } = await apply(company.api, document);
    expect([status, body.message]).toEqual([200, 'The document would create a campaign.']);
    expect(body.data).toMatchObject({
      post_id: null,
      external_ref,
      result: 'created',
      dry_run: true,
      ...LIVE,
    });
    expect(await storedRows(company)).toEqual(before);
  });

  it('runs for real where dry_run is false', async () => {
    const document = { external_ref: newRef(), ...DOCUMENTS.binary, dry_run: false };
    expect(await applied(company.api, document)).toMatchObject({
      result: 'created',
      dry_run: false,
    });
  });

  it('predicts a change while others are made', async () => {
    const external_ref = newRef();
    await applied(company.api, { external_ref, ...DOCUMENTS.binary });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        applied(company.api, { external_ref, title: `Title ${n}`, dry_run: n % 2 === 0 }),
      ),
    );
    expect(answers.filter(({ dry_run }) => dry_run)).toHaveLength(10);
    expect(answers.every(({ result }) => result === 'updated')).toBe(true);
  });

  it.each<[string, Fields]>([
    ['ends_before_start', { ends_at: '2098-01-01T00:00:00Z' }],
    ['max_responses_below_taken', { max_responses: 1 }],
    ['budget_below_spent', { budget: 150 }],
    ['campaign_completed', { is_live: true, title: 'Other' }],
  ])('refuses with %s what would be refused', async (code, fields) => {
    const external_ref = newRef();
    const { post_id } = await applied(company.api, {
      external_ref,
      ...DOCUMENTS.questionnaire,
      is_live: false,
      starts_at: '2099-01-01T00:00:00Z',
    });
    await service.dataSource.query(
      `INSERT INTO campaign_progress (company_id, campaign_id, taken, answered, held, spent)
       SELECT company_id, id, 2, 1, 100, 80 FROM campaign WHERE post_id = $1`,
      [post_id],
    );
    if (code === 'campaign_completed') {
      await company.api.post('/svc/campaign/archive', { post_id });
    }
    const stored = await storedRows(company);
    const dry = { external_ref, ...fields, dry_run: true };
    const keyed = company.api.with({ 'idempotency-key': external_ref });
    const answers = [
      await apply(company.api, dry),
      await apply(keyed, dry),
      await apply(keyed, dry),
      await apply(company.api, { ...dry, dry_run: false }),
    ];
    for (const answer of answers) {
      expectError(answer, 422, code, expect.any(Array));
      expect(answer.body.message).toBe(answers[3]!.body.message);
    }
    expect(await storedRows(company)).toEqual(stored);
  });

  it('refuses what would not be created', async () => {
    const document = {
      external_ref: newRef(),
      ...DOCUMENTS.advertisement,
      ends_at: '2098-01-01T00:00:00Z',
    };
    for (const dry_run of [true, false]) {
      const answer = await apply(company.api, { ...document, dry_run });
      expectError(answer, 422, 'ends_before_start', expect.any(Array));
    }
  });

  it('predicts the result of any document, after which nothing is left to change', async () => {
    const results = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(life, async (documents) => {
        const external_ref = newRef();
        for (const fields of documents) {
          const document = { external_ref, ...fields };
          const before = await storedRows(company);
          const dry = await apply(company.api, { ...document, dry_run: true });
          expect(await storedRows(company)).toEqual(before);
          const real = await apply(company.api, document);
          expect(dry.status).toBe(real.status);
          results.add(real.body.error?.code ?? real.body.data.result);
          if (real.status !== 200) {
            expect(dry.body.message).toBe(real.body.message);
            expect(dry.body.error!.code).toBe(real.body.error!.code);
            expect(dry.body.error!.details).toEqual(real.body.error!.details);
            expect(await storedRows(company)).toEqual(before);
            continue;
          }
          const { result, post_id } = real.body.data;
          expect(dry.body.data).toEqual({
            ...real.body.data,
            dry_run: true,
            post_id: result === 'created' ? null : post_id,
          });
          const after = await storedRows(company);
          expect(JSON.stringify(after) === JSON.stringify(before)).toBe(result === 'unchanged');
          const again = await applied(company.api, document);
          expect(again).toMatchObject({ result: 'unchanged', changed_fields: [], post_id });
          expect(await storedRows(company)).toEqual(after);
        }
      }),
      { numRuns: 15 },
    );
    // The documents were varied; each code has an example of its own elsewhere.
    expect([...results]).toEqual(expect.arrayContaining(['created', 'updated']));
  }, 120_000);
});
