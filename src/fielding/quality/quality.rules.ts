import type { Asked } from '../../campaigns/questions/question.types';
import { QUALITY_SIGNALS, QualitySignal } from '../../campaigns/questions/quality-signals.types';
import { circularTriads, consistency } from '../../platform/statistics/consistency.rules';
import { straightestLine } from './lines.rules';
import { comparableText } from './open-text.rules';
import type { Given } from './quality.types';

/** `fast`: a response whose answering time is below this percentile of the earlier ones. */
export const FAST_BELOW = 5;

/**
 * `inconsistent`: from so many images on. Fewer have so few triads that an attentive respondent is
 * easily as inconsistent as chance.
 */
export const CONSISTENCY_IMAGES = 5;

/** `repeated_text`: from so many earlier responses with the same text on. No more are counted. */
export const REPEATED_FROM = 1;
export const REPEATS_MAXIMUM = 100;

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
  const line = straightestLine(asked, answers);
  const images = asked.format === 'round_robin' ? (asked.imageSurvey?.images.length ?? 0) : 0;
  // Triads are decided by preferences in all of their pairs.
  const isPaired =
    images >= CONSISTENCY_IMAGES && answers.every(({ value }) => typeof value === 'number');
  const circular = isPaired ? circularTriads(winsOf(answers, images)) : 0;
  const isInconsistent = isPaired && circular >= circularByChance(images);
  return {
    longestRun: line?.run ?? null,
    comparedAnswers: line?.compared ?? null,
    consistency: isPaired ? toFourPlaces(consistency(circular, 1, images)) : null,
    text: comparableText(openTexts(asked, answers)),
    flags:
      (line?.isStraight === true ? bitOf('straight_lining') : 0) +
      (isInconsistent ? bitOf('inconsistent') : 0),
  };
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
