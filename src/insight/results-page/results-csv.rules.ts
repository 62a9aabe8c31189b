import type { Interval } from '../../platform/statistics/interval.rules';
import { BYTE_ORDER_MARK, toText } from '../responses/export-format.rules';
import type { QuestionResult, QuestionResultOf } from '../results/question-results.dto';
import type { QuestionResultType, RatedDto, ShareDto } from '../results/result-fields.dto';

type Cell = string | number | null;

/** A number of a question, or of a part of it. */
interface Line {
  /** The row of a matrix, or the image of an image survey. */
  row?: string;
  /** The option, the rating, the period or the other image. */
  answer?: string | number;
  measure: string;
  value: number | null;
  interval?: Interval | null;
}

const COLUMNS = [
  'question',
  'key',
  'type',
  'text',
  'row',
  'answer',
  'measure',
  'value',
  'interval_low',
  'interval_high',
];

/** The results of questions as CSV (RFC 4180), a line for each number. */
export function* resultsCsv(questions: readonly QuestionResult[]): Generator<string> {
  yield BYTE_ORDER_MARK;
  yield* toText([COLUMNS]);
  for (const each of questions) {
    const key = 'key' in each ? (each.key ?? null) : null;
    const lines = LINES[each.type] as (result: QuestionResult) => Line[];
    const about: Cell[] = [each.question, key, each.type, each.text];
    yield* toText([
      ...basesOf(each).map((line) => [...about, ...cellsOf(line)]),
      ...lines(each).map((line) => [...about, ...cellsOf(line)]),
    ]);
  }
}

const cellsOf = ({ row, answer, measure, value, interval }: Line): Cell[] => [
  row ?? null,
  answer ?? null,
  measure,
  value,
  interval?.[0] ?? null,
  interval?.[1] ?? null,
];

function basesOf(result: QuestionResult): Line[] {
  return [
    ...('asked' in result ? [{ measure: 'asked', value: result.asked }] : []),
    ...('answered' in result ? [{ measure: 'answered', value: result.answered }] : []),
  ];
}

type Place = Pick<Line, 'row' | 'answer'>;

const shared = (place: Place, { count, share, interval }: ShareDto, of = ''): Line[] => [
  { ...place, measure: `${of}count`, value: count },
  { ...place, measure: `${of}share`, value: share, interval: share === null ? null : interval },
];

const rated = (place: Place, histogram: readonly RatedDto[] = []): Line[] =>
  histogram.map(({ value, count }) => ({
    ...place,
    answer: value,
    measure: 'count',
    value: count,
  }));

interface Mean {
  mean?: number | null;
  interval?: Interval | null;
  standard_deviation?: number | null;
}

const averaged = (
  place: Place,
  { mean = null, interval, standard_deviation: sd }: Mean,
): Line[] => [
  { ...place, measure: 'mean', value: mean, interval },
  { ...place, measure: 'standard_deviation', value: sd ?? null },
];

const named = ({ value, text }: { value: string; text?: string }) => text ?? value;

const imaged = ({ image, label }: { image: number; label?: string }) => label ?? `Image ${image}`;

const choice = ({ options }: QuestionResultOf<'single_choice' | 'multiple_choice'>) =>
  options.flatMap((option) => shared({ answer: named(option) }, option));

const LINES: {
  readonly [Type in QuestionResultType]: (result: QuestionResultOf<Type>) => Line[];
} = {
  descriptive: () => [],
  text: () => [],
  statement: () => [],
  single_choice: choice,
  multiple_choice: choice,
  checkbox: ({ ticked }) => shared({ answer: 'true' }, ticked),
  rating: (result) => [
    ...averaged({}, result),
    ...shared({}, result.top_two, 'top_two_'),
    ...rated({}, result.histogram),
  ],
  nps: ({ score, interval, promoters, passives, detractors, histogram }) => [
    { measure: 'score', value: score, interval: score === null ? null : interval },
    ...shared({}, promoters, 'promoters_'),
    ...shared({}, passives, 'passives_'),
    ...shared({}, detractors, 'detractors_'),
    ...rated({}, histogram),
  ],
  number: (result) => [
    ...averaged({}, result),
    ...(['lower_quartile', 'median', 'upper_quartile'] as const).map((measure) => ({
      measure,
      value: result[measure],
    })),
    ...result.histogram.map(({ from, to, count }) => ({
      answer: `${from} to below ${to}`,
      measure: 'count',
      value: count,
    })),
  ],
  date: ({ periods }) => periods.flatMap((dated) => shared({ answer: dated.period }, dated)),
  ranking: ({ options }) =>
    options.flatMap((option) => {
      const answer = named(option);
      return [
        { answer, measure: 'ranked', value: option.ranked },
        { answer, measure: 'mean_rank', value: option.mean_rank },
        ...shared({ answer }, option.first, 'first_'),
        { answer, measure: 'strength', value: option.strength },
      ];
    }),
  matrix: ({ rows }) =>
    rows.flatMap((each) => {
      const row = named(each);
      return [
        { row, measure: 'answered', value: each.answered },
        ...(each.options ?? []).flatMap((option) => shared({ row, answer: named(option) }, option)),
        ...(each.mean === undefined ? [] : averaged({ row }, each)),
        ...(each.top_two === undefined ? [] : shared({ row }, each.top_two, 'top_two_')),
        ...rated({ row }, each.histogram),
      ];
    }),
  round_robin: ({ images, pairs }) => [
    ...images.flatMap((image) => [
      { row: imaged(image), measure: 'preferred', value: image.wins },
      { row: imaged(image), measure: 'strength', value: image.strength, interval: image.interval },
    ]),
    ...pairs.flatMap(({ images: [a, b], wins: [of = 0, against = 0] }) => [
      { row: nameIn(images, a), answer: nameIn(images, b), measure: 'preferred', value: of },
      { row: nameIn(images, b), answer: nameIn(images, a), measure: 'preferred', value: against },
    ]),
  ],
  binary: ({ images, ties }) => [
    ...images.flatMap((image) => shared({ row: imaged(image) }, image)),
    ...(ties === undefined ? [] : shared({ answer: 'ties' }, ties)),
  ],
  image_slider: ({ images }) =>
    images.flatMap((image) => {
      const row = imaged(image);
      return [
        { row, measure: 'answered', value: image.n },
        ...averaged({ row }, image),
        ...rated({ row }, image.histogram),
      ];
    }),
};

function nameIn(images: QuestionResultOf<'round_robin'>['images'], number: number | undefined) {
  const image = images.find((each) => each.image === number);
  return image === undefined ? '' : imaged(image);
}
