import { Big } from 'big.js';
import type { DataSource } from 'typeorm';
import { eventually } from './eventually';
import type { Client } from './client';
import { untilNumbered } from './numbering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** A submitted participation as it is stored. */
interface Stored {
  campaign_id: string;
  version: number;
  format: string | null;
  scale: { min: number; max: number; step: number } | null;
  types: string[] | null;
  state: string;
  cohort: number;
  reward: string;
  attention_score: string;
  begun_at: Date;
  closed_at: Date;
  answer_percentile: number | null;
  longest_run: number | null;
  compared_answers: number | null;
  consistency: number | null;
  text_repeats: number | null;
  answers: { question?: number; image?: number; images?: [number, number]; value: any }[] | null;
}

const STORED = `
  SELECT p.campaign_id, coalesce(p.question_set_version, 0) AS version, c.format,
    c.image_survey -> 'scale' AS scale,
    (SELECT jsonb_agg(q ->> 'type') FROM jsonb_array_elements(s.questions) AS q) AS types,
    p.state, p.cohort, p.reward, p.attention_score, p.begun_at, p.closed_at, p.answers::json AS answers,
    p.answer_percentile, p.longest_run, p.compared_answers, p.consistency, p.text_repeats
  FROM participation AS p
  JOIN campaign AS c ON c.company_id = p.company_id AND c.id = p.campaign_id
  LEFT JOIN question_set AS s ON s.company_id = p.company_id AND s.campaign_id = p.campaign_id
    AND s.version = p.question_set_version
  WHERE p.company_id = $1 AND p.state IN ('submitted', 'reversed')`;

const TALLIED = `
  SELECT campaign_id, version, kind, item, key, cohort_1, cohort_2, cohort_3, cohort_4, cohort_5
  FROM tally WHERE company_id = $1`;

/** The buckets of answering times grow by 2 %. */
const bucketOf = (seconds: number) =>
  Math.ceil(Math.log(Math.max(seconds, 0.001)) / Math.log(1.01 / 0.99));

/** Whether a response has each quality signal, and whether it is flagged for it. */
function signalsOf(each: Stored): [string, number | null, boolean][] {
  const { answer_percentile, longest_run, compared_answers, consistency, text_repeats } = each;
  const images = new Set(each.answers?.flatMap(({ images = [] }) => images)).size;
  const [triads, odd] = [(images * (images - 1) * (images - 2)) / 6, images % 2 === 1];
  const most = (images * (images * images - (odd ? 1 : 4))) / 24;
  const circular = (1 - (consistency ?? 1)) * most;
  return [
    ['fast', answer_percentile, answer_percentile! < 5],
    ['straight_lining', longest_run, longest_run! >= 0.8 * compared_answers!],
    ['inconsistent', consistency, circular > triads / 4 - 0.01],
    ['repeated_text', text_repeats, text_repeats! >= 1],
  ];
}

/** Cohort sums by place; what is 0 is left out. */
type Sums = Record<string, number[]>;

/** Counts every stored response of a company anew. */
export async function recount(database: DataSource, companyId: string): Promise<Sums> {
  const sums: Sums = {};
  for (const each of await database.query<Stored[]>(STORED, [storedEnvironment(companyId)])) {
    const add = (kind: string, item: unknown, key: unknown, n = 1, version = each.version) => {
      const place = [each.campaign_id, version, kind, item, key].join(' ');
      const sum = (sums[place] ??= [0, 0, 0, 0, 0]);
      sum[each.cohort - 1] = Math.round((sum[each.cohort - 1]! + n) * 1e6) / 1e6;
    };
    const hour = Math.floor(each.closed_at.getTime() / 3_600_000);
    add('submitted', '', '');
    add('hour', 'submitted', hour, 1, 0);
    if (each.state === 'reversed') {
      add('reversed', '', '');
      continue;
    }
    add('paid', '', '', Number(each.reward));
    add('hour', 'paid', hour, Number(each.reward), 0);
    if (each.answers === null) {
      continue;
    }
    const score = Number(each.attention_score);
    add('counted', '', '');
    add('attention', '', 'sum', score);
    add('attention', '', 'squares', score * score);
    add('seconds', '', bucketOf((each.closed_at.getTime() - each.begun_at.getTime()) / 1_000));
    for (const [signal, value, isFlagged] of signalsOf(each)) {
      if (value !== null) {
        add('measured', signal, '');
        add('flagged', signal, '', Number(isFlagged));
      }
    }
    const wins = new Map<number, number>();
    for (const { question, image, images, value } of each.answers) {
      if (images !== undefined) {
        add('win', value, images[0] + images[1] - value);
        wins.set(value, (wins.get(value) ?? 0) + 1);
        continue;
      }
      add('answered', question ?? image ?? '', '');
      const type = each.types?.[(question ?? 0) - 1];
      if (type === 'single_choice') {
        add('option', question, value);
      } else if (type === 'multiple_choice') {
        (value as string[]).forEach((option) => add('option', question, option));
      } else if (each.format === 'binary') {
        add('preferred', '', value);
      } else if (each.format === 'image_slider') {
        const { min, max, step } = each.scale!;
        const [from, to, one, rating] = [min, max, step, value].map((each) => Big(each)) as Big[];
        const width = one!.times(Math.ceil(to!.minus(from!).div(one!).plus(1).div(101).toNumber()));
        const steps = rating!.minus(from!).div(width).round(0, Big.roundDown);
        add('rating', image, 'sum', value);
        add('rating', image, 'squares', value * value);
        add('rated', image, width.times(steps).plus(from!).toFixed());
      }
    }
    for (const [a, n] of wins) {
      for (const [b, m] of wins) {
        add('product', a, b, n * m, 0);
      }
    }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum.some((n) => n !== 0)));
}

/** What the tally of a company says, in the same form. */
export async function tallied(database: DataSource, companyId: string): Promise<Sums> {
  const rows = await database.query<Record<string, string>[]>(TALLIED, [
    storedEnvironment(companyId),
  ]);
  const places = rows.map((row): [string, number[]] => [
    [row.campaign_id, row.version, row.kind, row.item, row.key].join(' '),
    [1, 2, 3, 4, 5].map((cohort) => Number(row[`cohort_${cohort}`])),
  ]);
  return Object.fromEntries(places.filter(([, sum]) => sum.some((n) => n !== 0)));
}

/** Reads results until they count every event of the company. */
export async function resultsOf(
  database: DataSource,
  { api, companyId }: { api: Client; companyId: string },
  postId: string,
  query = '',
): Promise<any> {
  return eventually(async () => {
    await untilNumbered(database, companyId);
    const { data } = await api.get(`/svc/campaign/${postId}/results${query}`);
    const [{ last }] = await database.query<[{ last: string }]>(
      'SELECT max(seq) AS last FROM event WHERE company_id = $1',
      [storedEnvironment(companyId)],
    );
    expect(data.as_of_seq).toBe(Number(last));
    return data;
  });
}
