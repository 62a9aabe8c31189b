import { identityOf } from '../../campaigns/questions/option.rules';
import type { AnswerValue, Asked } from '../../campaigns/questions/question.types';
import { QUALITY_SIGNALS, QualitySignal } from '../../campaigns/questions/quality-signals.types';
import { circularTriads, consistency } from '../../platform/statistics/consistency.rules';
import { normalizeText } from '../../platform/validation/fields/unicode';
import { comparableText } from './open-text.rules';

/** `fast`: a response whose answering time is below this percentile of the earlier ones. */
export const FAST_BELOW = 5;

/** `straight_lining`: from so many ratings or choices on, and if the longest run is such a part. */
export const COMPARED_MINIMUM = 5;
export const RUN_SHARE = 0.8;

/**
 * `inconsistent`: from so many images on. Fewer have so few triads that an attentive respondent is
 * easily as inconsistent as chance.
 */
export const CONSISTENCY_IMAGES = 5;

/** `repeated_text`: from so many earlier responses with the same text on. No more are counted. */
export const REPEATED_FROM = 1;
export const REPEATS_MAXIMUM = 100;

/** A valid answer. It names its question, or two images, by their positions from 1. */
interface Given {
  question?: number;
  images?: number[];
  value: AnswerValue;
}

/** The signals that a response has by itself. */
export interface OwnSignals {
  longestRun: number | null;
  comparedAnswers: number | null;
  consistency: number | null;
  /** The normalised text that is compared with those of other responses, if there is one. */
  text: string | null;
  /** The sum of the bits of `straight_lining` and `inconsistent`, if they apply. */
  flags: number;
}

const bitOf = (signal: QualitySignal) => 1 << QUALITY_SIGNALS.indexOf(signal);

/** Returns the signals in a sum of their bits. */
export function signalsIn(flags: number): QualitySignal[] {
  return QUALITY_SIGNALS.filter((signal) => (flags & bitOf(signal)) !== 0);
}

/**
 * Measures valid answers.
 *
 * @param answers in the order of what they are about
 */
export function measure(asked: Asked, answers: readonly Given[]): OwnSignals {
  const places = placesOf(asked, answers);
  const isCompared = places.length >= COMPARED_MINIMUM;
  const run = longestRun(places);
  const isStraight = isCompared && run >= RUN_SHARE * places.length;
  const images = asked.format === 'round_robin' ? (asked.imageSurvey?.images.length ?? 0) : 0;
  const isPaired = images >= CONSISTENCY_IMAGES;
  const circular = isPaired ? circularTriads(winsOf(answers, images)) : 0;
  const isInconsistent = isPaired && circular >= circularByChance(images);
  return {
    longestRun: isCompared ? run : null,
    comparedAnswers: isCompared ? places.length : null,
    consistency: isPaired ? toFourPlaces(consistency(circular, 1, images)) : null,
    text: comparableText(openTexts(asked, answers)),
    flags:
      (isStraight ? bitOf('straight_lining') : 0) + (isInconsistent ? bitOf('inconsistent') : 0),
  };
}

/**
 * The length of the longest run of equal values.
 *
 * Source: the index "LongString" of A. W. Meade and S. B. Craig, Identifying careless responses in
 * survey data, Psychological Methods 17 (2012), 437–455; after J. A. Johnson, Journal of Research
 * in Personality 39 (2005), 103–129.
 */
export function longestRun(values: readonly number[]): number {
  let [longest, current] = [0, 0];
  for (const [index, value] of values.entries()) {
    current = value === values[index - 1] ? current + 1 : 1;
    longest = Math.max(longest, current);
  }
  return longest;
}

/**
 * How many circular triads answers by chance have on average: a quarter of all triads.
 *
 * Source: M. G. Kendall and B. Babington Smith, On the method of paired comparisons, Biometrika 31
 * (1940), 324–345.
 */
export function circularByChance(images: number): number {
  return (images * (images - 1) * (images - 2)) / 24;
}

/** Where each answer that can be on a straight line is: a rating, or the place of an option. */
function placesOf({ format, questions }: Asked, answers: readonly Given[]): number[] {
  if (format === 'image_slider') {
    return answers.map(({ value }) => Number(value));
  }
  return answers.flatMap(({ question, value }) => {
    const asked = questions?.[(question ?? 0) - 1];
    return asked?.type === 'single_choice'
      ? [asked.options.findIndex((option) => normalizeText(identityOf(option)) === value)]
      : [];
  });
}

function winsOf(answers: readonly Given[], images: number): number[] {
  const wins = Array.from({ length: images }, () => 0);
  for (const { value } of answers) {
    const index = Number(value) - 1;
    wins[index] = (wins[index] ?? 0) + 1;
  }
  return wins;
}

function openTexts({ questions }: Asked, answers: readonly Given[]): string[] {
  return answers.flatMap(({ question, value }) => {
    const type = questions?.[(question ?? 0) - 1]?.type;
    return (type === 'text' || type === 'descriptive') && typeof value === 'string' ? [value] : [];
  });
}

const toFourPlaces = (value: number | null) => value && Number(value.toFixed(4));
