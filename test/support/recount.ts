import { isDeepStrictEqual } from 'node:util';
import { Big } from 'big.js';
import type { DataSource } from 'typeorm';
import { eventually } from './eventually';
import type { Client } from './client';
import { untilNumbered } from './numbering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

interface StoredAnswer {
  question?: number;
  image?: number;
  images?: [number, number];
  value: any;
  other?: string;
  comment?: string;
}

/** A submitted participation as it is stored. */
interface Stored {
  campaign_id: string;
  version: number;
  format: string | null;
  /** Whether a pair of images can be left undecided. */
  isOpen: boolean | null;
  scale: { min: number; max: number; step: number } | null;
  questions: Record<string, any>[] | null;
  state: string;
  /** Those of quotas that it counts in. */
  cells: number[] | null;
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
  answers: StoredAnswer[] | null;
}

const STORED = `
  SELECT p.campaign_id, coalesce(p.question_set_version, 0) AS version, c.format,
    c.image_survey -> 'scale' AS scale,
    c.format = 'round_robin' AND c.image_survey ?| '{allow_ties,allow_skips}' AS "isOpen",
    s.questions,
    p.state, p.cells, p.cohort, p.reward, p.attention_score, p.begun_at, p.closed_at, p.answers::json AS answers,
    p.answer_percentile, p.longest_run, p.compared_answers, p.consistency, p.text_repeats
  FROM participation AS p
  JOIN campaign AS c ON c.company_id = p.company_id AND c.id = p.campaign_id
  LEFT JOIN question_set AS s ON s.company_id = p.company_id AND s.campaign_id = p.campaign_id
    AND s.version = p.question_set_version
  WHERE p.company_id = $1 AND p.state IN ('submitted', 'reversed')`;

const TALLIED = `
  SELECT campaign_id, version, cell, kind, item, key, cohort_1, cohort_2, cohort_3, cohort_4, cohort_5
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

/** Whether a question with conditions is shown after these answers, read as the guide has it. */
function isShown({ all, any }: Record<string, any[]>, values: ReadonlyMap<string, any>): boolean {
  const holds = ({ question, row, op, value, ...group }: any): boolean => {
    if (op === undefined) {
      return isShown(group, values);
    }
    const answer = values.get(question);
    const given = row === undefined ? answer : answer?.[row];
    const has = given !== undefined;
    return {
      is: given === value,
      is_not: given !== value,
      includes: has && given.includes?.(value),
      excludes: !(has && given.includes?.(value)),
      at_least: has && given >= value,
      at_most: has && given <= value,
      answered: has,
      not_answered: !has,
    }[op as 'is'];
  };
  return all === undefined ? any!.some(holds) : all.every(holds);
}

/** Whether a question is shown, which it is not without any of its options or rows. */
function isAsked(question: Record<string, any>, values: ReadonlyMap<string, any>): boolean {
  const isHere = ({ show_if }: any) => show_if === undefined || isShown(show_if, values);
  return [question.options, question.rows].every(
    (list) => isHere(question) && (list === undefined || list.some(isHere)),
  );
}

type Add = (kind: string, item: unknown, key: unknown, n?: number) => void;

/** A part of a scale with at most 101 steps. */
function stepOf(value: number, { min, max, step }: Record<string, number>): string {
  const [from, to, one, rating] = [min, max, step, value].map((each) => Big(each!)) as Big[];
  const width = one!.times(Math.ceil(to!.minus(from!).div(one!).plus(1).div(101).toNumber()));
  const steps = rating!.minus(from!).div(width).round(0, Big.roundDown);
  return width.times(steps).plus(from!).toFixed();
}

function addRating(add: Add, item: unknown, value: number, scale?: Record<string, number>): void {
  add('rating', item, 'sum', value);
  add('rating', item, 'squares', value * value);
  if (scale !== undefined) {
    add('rated', item, stepOf(value, scale));
  }
}

const keysOf = (options: (string | Record<string, string>)[]): string[] =>
  options.map((option) => (typeof option === 'string' ? option : (option.key ?? option.text!)));

/** Counts the answer to a question. */
function addAnswer(add: Add, question: Record<string, any>, at: number, value: any): void {
  const { type, scale, options = [], rows = [] } = question;
  if (['single_choice', 'nps', 'checkbox'].includes(type)) {
    add('option', at, value);
  } else if (type === 'multiple_choice') {
    value.forEach((option: string) => add('option', at, option));
  } else if (type === 'rating') {
    addRating(add, at, value, scale);
  } else if (type === 'number') {
    addRating(add, at, value);
    add('value', at, value);
  } else if (type === 'date') {
    add('date', at, value);
  } else if (type === 'ranking') {
    add('first', at, value[0]);
    add('order', at, value.map((each: string) => keysOf(options).indexOf(each) + 1).join(' '));
    value.forEach((option: string, place: number) => {
      add('option', at, option);
      add('rank', at, option, place + 1);
    });
  } else if (type === 'matrix') {
    for (const [row, cell] of Object.entries<any>(value)) {
      const item = `${at}.${keysOf(rows).indexOf(row) + 1}`;
      add('answered', item, '');
      if (scale === undefined) {
        [cell].flat().forEach((option) => add('option', item, option));
      } else {
        addRating(add, item, cell, scale);
      }
    }
  }
}

/** Counts the options with conditions that an answered question, or a row of it, was shown with. */
function addOffers(
  add: Add,
  { type, options = [], rows = [] }: Record<string, any>,
  at: number,
  given: StoredAnswer | undefined,
  values: ReadonlyMap<string, any>,
): void {
  if (given === undefined || type === 'ranking') {
    return;
  }
  const items =
    rows.length === 0
      ? [at]
      : Object.keys(given.value).map((row) => `${at}.${keysOf(rows).indexOf(row) + 1}`);
  for (const option of options) {
    if (option.show_if !== undefined && isShown(option.show_if, values)) {
      items.forEach((item) => add('offered', item, keysOf([option])[0]));
    }
  }
}

/** Cohort sums by place; what is 0 is left out. */
type Sums = Record<string, number[]>;

/** Counts every stored response of a company anew. */
export async function recount(database: DataSource, companyId: string): Promise<Sums> {
  const sums: Sums = {};
  for (const each of await database.query<Stored[]>(STORED, [storedEnvironment(companyId)])) {
    const cells = each.answers === null || each.state === 'reversed' ? [] : (each.cells ?? []);
    const add = (kind: string, item: unknown, key: unknown, n = 1, version = each.version) => {
      for (const cell of kind === 'hour' ? [0] : [0, ...cells]) {
        const place = [each.campaign_id, version, cell, kind, item, key].join(' ');
        const sum = (sums[place] ??= [0, 0, 0, 0, 0]);
        sum[each.cohort - 1] = Math.round((sum[each.cohort - 1]! + n) * 1e6) / 1e6;
      }
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
    const values = new Map<string, any>();
    for (const [index, question] of (each.questions ?? []).entries()) {
      const { key = `q${index + 1}` } = question;
      const given = each.answers.find(({ question }) => question === index + 1);
      if (given !== undefined) {
        values.set(key, given.value);
      }
      if (!isAsked(question, values)) {
        add('hidden', index + 1, '');
      }
      addOffers(add, question, index + 1, given, values);
    }
    const wins = new Map<number, number>();
    for (const { question, image, images, value, other, comment } of each.answers) {
      if (images !== undefined) {
        if (typeof value === 'number') {
          add('win', value, images[0] + images[1] - value);
        } else {
          add(value, images[0], images[1]);
        }
        for (const won of typeof value === 'number' ? [value] : images) {
          wins.set(won, (wins.get(won) ?? 0) + (typeof value === 'number' ? 1 : 0.5));
        }
        continue;
      }
      if (value !== 'skip' || each.format !== 'binary') {
        add('answered', question ?? image ?? '', '');
      }
      if (question !== undefined) {
        addAnswer(add, each.questions![question - 1]!, question, value);
        const { correct } = each.questions![question - 1]!;
        const sorted = (values: unknown) => (Array.isArray(values) ? values.toSorted() : values);
        if (correct !== undefined && isDeepStrictEqual(sorted(value), sorted(correct))) {
          add('right', question, '');
        }
        Object.entries({ other, comment }).forEach(
          ([kind, text]) => text !== undefined && add(kind, question, ''),
        );
      } else if (each.format === 'binary') {
        add('preferred', '', value);
      } else if (each.format === 'image_slider') {
        addRating(add, image, value, each.scale!);
      }
    }
    if (each.isOpen && each.answers.every(({ value }) => typeof value === 'number')) {
      add('decided', '', 'responses', 1, 0);
      wins.forEach((n) => add('decided', '', 'squares', n * n, 0));
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
    [row.campaign_id, row.version, row.cell, row.kind, row.item, row.key].join(' '),
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
