import { Big } from 'big.js';
import { normalizeText } from '../../platform/validation/fields/unicode';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { Question } from '../../campaigns/questions/question.types';
import { identityOf } from '../../campaigns/questions/option.rules';
import { bradleyTerry } from '../../platform/statistics/bradley-terry.rules';
import { consistency } from '../../platform/statistics/consistency.rules';
import { Interval, rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { meanWithInterval } from '../../platform/statistics/mean.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { weightedCount, wilson } from '../../platform/statistics/share.rules';
import type { ImageResultDto, QuestionResultDto, ShareDto } from './question-results.dto';
import { QUALITY_SIGNALS } from '../../campaigns/questions/quality-signals.types';
import type { SignalResultDto } from './results-parts.dto';
import type { CampaignResults } from './results.types';
import { COHORTS, Tallied } from './tally.rules';

interface Share {
  share: number | null;
  interval: Interval;
}

/** A part of all, with its interval for so many responses of equal weight. */
export function shareOf(part: number, all: number, size: number): Share {
  const share = all > 0 ? part / all : 0;
  return {
    share: all > 0 ? rounded(share) : null,
    interval: roundedInterval(wilson(share * size, size)),
  };
}

/** A mean with its interval, as results have it. */
export function meanOf(...parameters: Parameters<typeof meanWithInterval>) {
  const { mean, standardDeviation, interval } = meanWithInterval(...parameters);
  return {
    mean: mean && rounded(mean),
    standard_deviation: standardDeviation && rounded(standardDeviation),
    interval: interval && roundedInterval(interval),
  };
}

/**
 * The results of each question, or of the one that an image survey asks. Each is computed when it
 * is asked for: all of a long questionnaire together take too long for one turn.
 */
export function* questionResults(results: CampaignResults): Generator<QuestionResultDto> {
  const { questions, imageSurvey, tallied } = results;
  if (imageSurvey !== null) {
    yield imageResult(results, imageSurvey);
    return;
  }
  const known: KnownShares = new Map();
  for (const [index, question] of (questions ?? []).entries()) {
    yield questionResult(question, index + 1, tallied, known);
  }
}

function imageResult(
  { format, ratingStep, tallied }: CampaignResults,
  imageSurvey: ImageSurvey,
): QuestionResultDto {
  const result = { question: 1, text: imageSurvey.question };
  switch (format) {
    case 'image_slider':
      return { ...result, type: format, images: ratedImages(imageSurvey, ratingStep, tallied) };
    case 'round_robin':
      return { ...result, type: format, ...comparedImages(imageSurvey, tallied) };
    default:
      return {
        ...result,
        type: 'binary',
        answered: tallied.count('answered'),
        effective_size: rounded(tallied.size('answered')),
        images: imageSurvey.images.map((image, index) => ({
          image: index + 1,
          ...image,
          ...shareIn(tallied, ['answered'])('preferred', '', index + 1),
        })),
      };
  }
}

type Place = Parameters<Tallied['of']>;

/**
 * Shares by what they are parts of, and then by the part: many of the 25,000 options that a
 * questionnaire can have are alike, above all those that nobody chose.
 */
type KnownShares = Map<string, Map<number, Share>>;

/** Returns how many of those who answered gave an answer. A question can have 250 answers. */
function shareIn(
  tallied: Tallied,
  answered: Place,
  known: KnownShares = new Map(),
): (...given: Place) => ShareDto {
  const all = tallied.weigh(...answered);
  const size = tallied.size(...answered);
  const whole = `${all} ${size}`;
  const shares = known.get(whole) ?? new Map<number, Share>();
  known.set(whole, shares);
  return (...given) => {
    const strata = tallied.strata(...given);
    const part = weightedCount(strata);
    const share = shares.get(part) ?? shareOf(part, all, size);
    shares.set(part, share);
    return { count: sumOf(strata.map(({ count }) => count)), ...share };
  };
}

function questionResult(
  asked: Question,
  question: number,
  tallied: Tallied,
  known: KnownShares,
): QuestionResultDto {
  const answered: Place = ['answered', question];
  const { type, question: text } = asked;
  const result = { question, type, text, answered: tallied.count(...answered) };
  if (asked.type !== 'single_choice' && asked.type !== 'multiple_choice') {
    return result;
  }
  const share = shareIn(tallied, answered, known);
  return {
    ...result,
    effective_size: rounded(tallied.size(...answered)),
    options: asked.options.map(identityOf).map((value) => ({
      value,
      // Options of sets that were stored earlier need not be normalised, as answers are.
      ...share('option', question, normalizeText(value)),
    })),
  };
}

function ratedImages(
  { images, scale }: ImageSurvey,
  ratingStep: string | null,
  tallied: Tallied,
): ImageResultDto[] {
  if (scale === undefined || ratingStep === null) {
    throw new Error('a slider without a scale');
  }
  const steps = new Big(scale.max).minus(scale.min).div(ratingStep).round(0, Big.roundDown);
  const values = Array.from({ length: steps.toNumber() + 1 }, (_, step) =>
    new Big(ratingStep).times(step).plus(scale.min).toNumber(),
  );
  return images.map((image, index) => {
    const position = index + 1;
    const answered: Place = ['answered', position];
    const moments = tallied.moments(answered, 'rating', position);
    return {
      image: position,
      ...image,
      n: tallied.count(...answered),
      effective_size: rounded(tallied.size(...answered)),
      ...meanOf(moments, { ...tallied.sample(...answered), scale: [scale.min, scale.max] }),
      histogram: values.map((value) => ({
        value,
        count: tallied.count('rated', position, value),
      })),
    };
  });
}

function comparedImages(
  { images }: ImageSurvey,
  tallied: Tallied,
): Pick<QuestionResultDto, 'answered' | 'effective_size' | 'consistency' | 'images' | 'pairs'> {
  const positions = images.map((_, index) => index + 1);
  const square = (read: (a: number, b: number) => number) =>
    positions.map((a) => positions.map((b) => read(a, b)));
  const counted = tallied.strata('counted').filter(({ count, weight }) => count * weight > 0);
  const strata = counted.map(({ cohort, weight, count }) => ({
    weight,
    responses: count,
    wins: square((a, b) => tallied.of('win', a, b)[cohort - 1] ?? 0),
    products: square((a, b) => tallied.of('product', a, b)[cohort - 1] ?? 0),
  }));
  const strengths = strata.length === 0 ? [] : bradleyTerry(strata);
  const wins = square((a, b) => tallied.count('win', a, b));
  return {
    answered: tallied.count('counted'),
    effective_size: rounded(tallied.size('counted')),
    consistency: consistencyOf(strata, images.length),
    images: images.map((image, index) => {
      const found = strengths[index];
      return {
        image: index + 1,
        ...image,
        wins: (wins[index] ?? []).reduce((sum, each) => sum + each, 0),
        strength: found === undefined ? null : rounded(found.strength),
        interval: found?.interval ? roundedInterval(found.interval) : null,
        rank: found === undefined ? null : found.rank,
      };
    }),
    pairs: positions.flatMap((a) =>
      positions.slice(a).map((b) => ({
        images: [a, b],
        wins: [wins[a - 1]?.[b - 1] ?? 0, wins[b - 1]?.[a - 1] ?? 0],
      })),
    ),
  };
}

/**
 * Kendall's coefficient from sums over responses: the squares of the wins of one respondent are the
 * products of the wins of an image with themselves.
 */
function consistencyOf(
  strata: readonly { weight: number; responses: number; products: number[][] }[],
  images: number,
): number | null {
  const most = (images * (images - 1) * (2 * images - 1)) / 12;
  let [circular, responses] = [0, 0];
  for (const { weight, responses: count, products } of strata) {
    const squares = products.reduce((sum, row, index) => sum + (row[index] ?? 0), 0);
    circular += weight * (count * most - squares / 2);
    responses += weight * count;
  }
  const found = consistency(circular, responses, images);
  return found && rounded(found);
}

/** What each quality signal says about the responses that are counted. */
export function signalResults(tallied: Tallied): SignalResultDto[] {
  return QUALITY_SIGNALS.map((signal) => {
    const { count, ...share } = shareIn(tallied, ['measured', signal])('flagged', signal);
    return {
      signal,
      measured: tallied.count('measured', signal),
      flagged: count,
      ...share,
    };
  });
}

/** The share of each cohort in all responses that are counted, whatever cohorts are chosen. */
export function cohortShares(tallied: Tallied) {
  const responses = tallied.of('counted');
  const all = responses.reduce((sum, each) => sum + each, 0);
  return COHORTS.map((cohort) => {
    const count = responses[cohort - 1] ?? 0;
    return {
      cohort,
      responses: count,
      ...shareOf(count, all, all),
      paid: tallied.of('paid')[cohort - 1] ?? 0,
    };
  });
}
