import fc from 'fast-check';
import { begun, liveQuestionnaire, submit } from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { THOROUGH } from '../support/thorough';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import type { StoredId } from '../../src/platform/database/identifiers';

/** Values that are counted by themselves. */
const MAXIMUM = 1_000;
const RESPONSES = MAXIMUM + 40;

/** Other answers for each response, among them numbers of six magnitudes and of both signs. */
function answersOf(n: number): unknown[] {
  const number = (n % 2 === 0 ? 1 : -1) * (1_001 + 7 * n) * 10 ** ((n % 6) - 3);
  const order = [...'abcdefg'];
  for (let left = 7, rest = n; left > 1; rest = Math.floor(rest / left), left -= 1) {
    order.push(...order.splice(rest % left, 1));
  }
  return [
    { question: 1, value: Number(number.toFixed(3)) },
    { question: 2, value: new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10) },
    { question: 3, value: order },
  ];
}

describe('values that are counted less finely', () => {
  const platform = platformForAll();
  const company = companyForAll();
  let companyId: StoredId | null;
  let campaignId: string;
  let all: string[];

  beforeAll(async () => {
    const post_id = await liveQuestionnaire(company, [
      { type: 'number', question: 'How much?', decimals: 3 },
      { type: 'date', question: 'When?' },
      { type: 'ranking', question: 'In which order?', options: [...'abcdefg'] },
    ]);
    const part = await begun(platform, post_id, 'the first');
    expect((await submit(platform, part, 9, answersOf(0))).status).toBe(200);
    await resultsOf(service.dataSource, company, post_id);
    companyId = storedEnvironment(company.companyId);
    const copies = Array.from({ length: RESPONSES }, (_, n) => JSON.stringify(answersOf(n + 1)));
    const rows = await service.dataSource.query<{ id: string; campaign_id: string }[]>(
      `INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
         question_set_version, rewards, held, state, begun_at, expires_at, closed_at,
         attention_score, cohort, reward, submission, answers)
       SELECT company_id, campaign_id, gen_random_uuid(), platform, sha256(n::text::bytea),
         question_set_version, rewards, held, state, begun_at, expires_at, closed_at,
         attention_score, cohort, reward, submission, a.answers
       FROM participation CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS a (answers, n)
       WHERE company_id = $1
       RETURNING participation_id AS id, campaign_id`,
      [companyId, copies],
    );
    all = rows.map(({ id }) => id);
    campaignId = rows[0]!.campaign_id;
  });

  const change = (ids: readonly string[], isRemoval: boolean) =>
    service.dataSource.query('SELECT add_to_tally($1, $2, $3, $4)', [
      companyId,
      ids.map(() => campaignId),
      ids,
      isRemoval,
    ]);

  /** What the tally of these responses says of their values, after it was emptied. */
  async function tallyOf(...batches: (readonly string[])[]): Promise<Record<string, unknown>[]> {
    await service.dataSource.query('DELETE FROM tally WHERE company_id = $1', [companyId]);
    for (const batch of batches) {
      await change(batch, false);
    }
    return read();
  }

  const read = () =>
    service.dataSource.query<Record<string, unknown>[]>(
      `SELECT kind, item, key, cohort_1, cohort_2, cohort_3, cohort_4, cohort_5 FROM tally
       WHERE company_id = $1 AND kind IN ('value', 'date', 'order', 'coarse', 'rating')
       ORDER BY kind COLLATE "C", item COLLATE "C", key COLLATE "C"`,
      [companyId],
    );

  const levels = (rows: Record<string, unknown>[]) => rows.filter(({ kind }) => kind === 'coarse');

  it('are the same in every order of the responses, and in all parts of them', async () => {
    const orders = fc.tuple(
      fc.constantFrom(MAXIMUM, MAXIMUM + 1, RESPONSES),
      fc.infiniteStream(fc.nat()),
      // Batches end before, at and after the response with which there are too many values.
      fc.array(fc.integer({ min: MAXIMUM - 20, max: RESPONSES }), { minLength: 2, maxLength: 6 }),
    );
    const seen = new Set<number>();
    const together = new Map<number, Record<string, unknown>[]>();
    await fc.assert(
      fc.asyncProperty(orders, async ([count, keys, cuts]) => {
        const chosen = all.slice(0, count);
        const order = chosen
          .map((id) => ({ id, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ id }) => id);
        const ends = [...new Set([...cuts, RESPONSES])].sort((a, b) => a - b);
        const batches = ends.map((end, at) => order.slice(ends[at - 1] ?? 0, end));
        const expected = together.get(count) ?? (await tallyOf(chosen));
        together.set(count, expected);
        expect(await tallyOf(...batches.filter(({ length }) => length > 0))).toEqual(expected);
        expect(levels(expected)).toHaveLength(count > MAXIMUM ? 3 : 0);
        seen.add(levels(expected).length);
      }),
      { numRuns: THOROUGH ? 40 : 3, examples: [[sample(MAXIMUM)], [sample(RESPONSES)]] },
    );
    expect(seen).toEqual(new Set([0, 3]));
  });

  it('stay so when responses are taken out, of which a recount would be exact', async () => {
    const [kept, taken] = [all.slice(0, 10), all.slice(10)];
    await tallyOf(all);
    await change(taken, true);
    const left = await read();
    const anew = await tallyOf(kept);
    expect([levels(left).length, levels(anew).length]).toEqual([3, 0]);
    const sums = (rows: typeof left) => rows.filter(({ kind }) => kind === 'rating');
    expect(sums(left)).toEqual(sums(anew));
    const numbers = (rows: typeof left) =>
      rows
        .filter(({ kind }) => kind === 'value')
        .map(({ key }) => Number(key))
        .sort((a, b) => a - b);
    const [coarse, exact] = [numbers(left), numbers(anew)];
    expect(coarse).not.toEqual(exact);
    expect(coarse).toHaveLength(exact.length);
    coarse.forEach((each, at) => expect(Math.abs(each / exact[at]! - 1)).toBeLessThan(0.005));
  });

  /** An example of one order: the reverse, in up to three parts. */
  function sample(count: number): [number, fc.Stream<number>, number[]] {
    const backwards = function* () {
      for (let n = RESPONSES; ; n -= 1) {
        yield n;
      }
    };
    return [count, fc.stream(backwards()), [MAXIMUM - 3, MAXIMUM + 3]];
  }
});
