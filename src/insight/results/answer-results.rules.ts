import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import { NPS_SCALE } from '../../campaigns/questions/answer-value.rules';
import { otherOf } from '../../campaigns/questions/option.rules';
import {
  ByType,
  callByType,
  DatePrecision,
  MatrixQuestion,
  MultipleChoiceQuestion,
  Option,
  Question,
  SingleChoiceQuestion,
} from '../../campaigns/questions/question.types';
import { rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { netPromoterInterval } from '../../platform/statistics/net-promoter.rules';
import { plackettLuce } from '../../platform/statistics/plackett-luce.rules';
import { sampleQuantile } from '../../platform/statistics/quantile.rules';
import { PERIODS_MAXIMUM, periodsOf } from './date-periods.rules';
import { binsIn } from './number-bins.rules';
import { answeredAs, Counted, named, optionShares, within } from './option-shares.rules';
import type { QuestionResult } from './question-results.dto';
import { ratingSteps } from './rating-steps.rules';
import { meanOf } from './shares.rules';
import type { Place } from './tally.rules';

/** The result of a question, from what the tally has of it. */
export function questionResult(question: Question, counted: Counted): QuestionResult {
  const { position, tallied } = counted;
  const all = tallied.count('counted');
  const hidden = tallied.count('hidden', position);
  return {
    question: position,
    ...(question.key === undefined ? {} : { key: question.key }),
    type: question.type,
    text: question.question,
    asked: all - hidden,
    not_shown: hidden,
    ...callByType(RESULTS, question, counted),
    ...('correct' in question && { right: within(counted)(['right', position]) }),
  } as QuestionResult;
}

const answered = ({ position, tallied }: Counted) => ({
  answered: tallied.count('answered', position),
});

const sized = (counted: Counted, item: string | number = counted.position) => ({
  answered: counted.tallied.count('answered', item),
  effective_size: rounded(counted.tallied.size('answered', item)),
});

/** What each type has besides what all have. */
const RESULTS: ByType<[counted: Counted], object> = {
  descriptive: (_, counted) => answered(counted),
  text: (_, counted) => answered(counted),
  single_choice: choiceResult,
  multiple_choice: choiceResult,
  rating: ({ scale }, counted) => ({ ...sized(counted), ...ratings(counted, scale) }),
  nps: (_, counted) => ({ ...sized(counted), ...netPromoterScore(counted) }),
  number: ({ minimum, maximum, decimals = 0 }, counted) => ({
    ...sized(counted),
    ...numbers(counted, minimum === undefined || maximum === undefined ? null : [minimum, maximum]),
    histogram: binsIn(counted, decimals),
  }),
  date: ({ precision = 'day' }, counted) => ({ ...sized(counted), ...dates(counted, precision) }),
  ranking: ({ options }, counted) => ({ ...sized(counted), options: ranks(counted, options) }),
  matrix: (question, counted) => ({ ...sized(counted), rows: rowResults(question, counted) }),
  checkbox: (_, counted) => ({
    ...sized(counted),
    ticked: within(counted)(['option', counted.position, 'true']),
  }),
  statement: () => ({}),
};

function choiceResult(question: SingleChoiceQuestion | MultipleChoiceQuestion, counted: Counted) {
  const { position, tallied } = counted;
  return {
    ...sized(counted),
    options: optionShares(question.options, counted, position),
    ...(otherOf(question) === undefined ? {} : { others: tallied.count('other', position) }),
    ...(question.comment === true ? { comments: tallied.count('comment', position) } : {}),
  };
}

/** The ratings of a question or of a row. */
function ratings(counted: Counted, scale: Scale, item: string | number = counted.position) {
  const { tallied } = counted;
  const steps = ratingSteps(scale);
  return {
    ...moments(counted, [scale.min, scale.max], item),
    top_two: within(counted, item)(...steps.slice(-2).map((step): Place => ['rated', item, step])),
    histogram: steps.map((value) => ({ value, count: tallied.count('rated', item, value) })),
  };
}

function moments(
  { tallied, position }: Counted,
  scale: [number, number] | null,
  item: string | number = position,
) {
  return meanOf(tallied.moments(['answered', item], 'rating', item), {
    ...tallied.sample('answered', item),
    ...(scale === null ? {} : { scale }),
  });
}

/** The groups of a net promoter score, with the answers of each. */
export const NPS_GROUPS = {
  detractors: [0, 1, 2, 3, 4, 5, 6],
  passives: [7, 8],
  promoters: [9, 10],
} as const;

function netPromoterScore(counted: Counted) {
  const { tallied, position } = counted;
  const share = within(counted);
  const shareIn = (values: readonly number[]) =>
    share(...values.map((value): Place => ['option', position, value]));
  const all = tallied.weigh('answered', position);
  const size = tallied.size('answered', position);
  const part = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + tallied.weigh('option', position, value), 0) / (all || 1);
  const [up, down] = [part(NPS_GROUPS.promoters), part(NPS_GROUPS.detractors)];
  const [low, high] = netPromoterInterval(up * size, down * size, size);
  return {
    score: all > 0 ? rounded(100 * (up - down)) : null,
    interval: roundedInterval([100 * low, 100 * high]),
    promoters: shareIn(NPS_GROUPS.promoters),
    passives: shareIn(NPS_GROUPS.passives),
    detractors: shareIn(NPS_GROUPS.detractors),
    histogram: ratingSteps(NPS_SCALE).map((value) => ({
      value,
      count: tallied.count('option', position, value),
    })),
  };
}

/** Scales weights so that they add up to the number of responses: then they are like repeats. */
function weighted(kind: string, { tallied, position }: Counted) {
  const all = tallied.weigh('answered', position);
  const { responses } = tallied.sample('answered', position);
  return [...tallied.keys(kind, position)]
    .map((key) => ({
      key,
      count: all > 0 ? (tallied.weigh(kind, position, key) * responses) / all : 0,
    }))
    .filter(({ count }) => count > 0);
}

/** @param range what answers can be, if both ends are known */
function numbers(counted: Counted, range: [number, number] | null) {
  const values = weighted('value', counted)
    .map(({ key, count }) => ({ value: Number(key), count }))
    .sort((a, b) => a.value - b.value);
  const at = (part: number) => {
    const found = sampleQuantile(values, part);
    return found === null ? null : rounded(found);
  };
  return {
    ...moments(counted, range),
    lower_quartile: at(0.25),
    median: at(0.5),
    upper_quartile: at(0.75),
    exact: levelOf(counted) === 0,
  };
}

/** The level of detail at which values are counted: see the function `coarse_key`. */
const levelOf = ({ tallied, position }: Counted): number => tallied.of('coarse', position)[0] ?? 0;

function dates(counted: Counted, finest: DatePrecision) {
  const { tallied, position } = counted;
  const share = within(counted);
  const dated = [...tallied.keys('date', position)].filter(
    (key) => tallied.count('date', position, key) > 0,
  );
  const { precision, periods } = periodsOf(dated, finest);
  const counts = [...periods].map(([period, keys]) => ({
    period,
    ...share(...keys.map((key): Place => ['date', position, key])),
  }));
  const frequent = counts.toSorted((a, b) => b.count - a.count).slice(0, PERIODS_MAXIMUM);
  return { precision, periods: frequent.toSorted((a, b) => (a.period < b.period ? -1 : 1)) };
}

function ranks(counted: Counted, options: readonly Option[]) {
  const { tallied, position } = counted;
  const share = within(counted);
  // As many as they are worth, which suits the prior.
  const { responses, size } = tallied.sample('answered', position);
  const orders = weighted('order', counted).map(({ key, count }) => ({
    order: key.split(' ').map((option) => Number(option) - 1),
    count: (count * size) / responses,
  }));
  const strengths = orders.length === 0 ? [] : plackettLuce(options.length, orders);
  return options.map((option, index) => {
    const key = answeredAs(option);
    const times = tallied.weigh('option', position, key);
    const found = strengths[index];
    return {
      ...named(option),
      ranked: tallied.count('option', position, key),
      mean_rank: times > 0 ? rounded(tallied.weigh('rank', position, key) / times) : null,
      first: share(['first', position, key]),
      strength: found === undefined ? null : rounded(found.strength),
      rank: found === undefined ? null : found.rank,
    };
  });
}

function rowResults({ rows, options = [], scale }: MatrixQuestion, counted: Counted) {
  return rows.map((row, index) => {
    const item = `${counted.position}.${index + 1}`;
    return {
      ...named(row),
      ...sized(counted, item),
      ...(scale === undefined
        ? { options: optionShares(options, counted, item) }
        : ratings(counted, scale, item)),
    };
  });
}
