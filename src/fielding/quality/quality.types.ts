import type { AnswerValue } from '../../campaigns/questions/question.types';

/** A valid answer. It names its question, or two images, by their positions from 1. */
export interface Given {
  question?: number;
  images?: number[];
  value: AnswerValue;
}

/**
 * The quality signals of a response, as its participation stores them. All are `null` if nothing
 * was submitted, and once the answers are erased.
 */
export interface StoredQuality {
  /** Percent of earlier responses to the same questions that took less time; `null` below 30. */
  answerPercentile: number | null;
  /** The most equal answers in a row of those that can be on one line; `null` below 5 of them. */
  longestRun: number | null;
  /** How many answers can be on that line. */
  comparedAnswers: number | null;
  /** Kendall's coefficient of consistence, with four places; `null` below 5 images. */
  consistency: number | null;
  /** How many earlier responses have the same text, at most 100; `null` without a long one. */
  textRepeats: number | null;
  /** The sum of the bits of the signals that flag the response. */
  qualityFlags: number | null;
}
