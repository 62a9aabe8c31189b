/**
 * The quality signals of a response, as its participation stores them. All are `null` if nothing
 * was submitted, and once the answers are erased.
 */
export interface StoredQuality {
  /** Percent of earlier responses to the same questions that took less time; `null` below 30. */
  answerPercentile: number | null;
  /** The most equal ratings in a row, or options at the same place; `null` below 5 of them. */
  longestRun: number | null;
  /** How many ratings, or how many single choices, the longest run is one of. */
  comparedAnswers: number | null;
  /** Kendall's coefficient of consistence, with four places; `null` below 5 images. */
  consistency: number | null;
  /** How many earlier responses have the same text, at most 100; `null` without a long one. */
  textRepeats: number | null;
  /** The sum of the bits of the signals that flag the response. */
  qualityFlags: number | null;
}
