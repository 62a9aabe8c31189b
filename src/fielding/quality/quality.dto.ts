import {
  ResponseEnums,
  ResponseInteger,
  ResponseNumber,
} from '../../platform/openapi/response-fields';
import { QUESTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { COMPARED_MINIMUM, REPEATS_MAXIMUM, signalsIn } from './quality.rules';
import { QUALITY_SIGNALS, QualitySignal } from '../../campaigns/questions/quality-signals.types';
import type { StoredQuality } from './quality.types';

const COMPARED = { minimum: COMPARED_MINIMUM, maximum: QUESTIONS_MAXIMUM } as const;

/** How carefully a response looks answered. It never changes what the respondent is paid. */
export class QualityDto {
  /**
   * Percent of the earlier responses to the same questions that took less time; `null` if fewer than 30
   * were counted.
   */
  @ResponseInteger({ minimum: 0, maximum: 100 })
  answer_percentile!: number | null;

  /**
   * The most ratings in a row that are equal, or the most single choices in a row with the option at the
   * same place; `null` below 5 ratings or choices.
   */
  @ResponseInteger({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  longest_run!: number | null;

  /** How many ratings or single choices there are; `null` below 5. */
  @ResponseInteger(COMPARED)
  compared_answers!: number | null;

  /** `round_robin`: Kendall's coefficient of consistence; `null` below 5 images. */
  @ResponseNumber({ minimum: 0, maximum: 1 })
  consistency!: number | null;

  /**
   * How many earlier responses to the campaign have the same longest open text, up to 100; `null` if no
   * text has at least 20 letters and digits.
   */
  @ResponseInteger({ minimum: 0, maximum: REPEATS_MAXIMUM })
  text_repeats!: number | null;

  /** The signals that are conspicuous. */
  @ResponseEnums(QUALITY_SIGNALS, 'QualitySignal', { minimum: 0 })
  flags!: QualitySignal[];

  /** The signals of a response; `null` if it has none. */
  static from(stored: StoredQuality): QualityDto | null {
    return stored.qualityFlags === null
      ? null
      : {
          answer_percentile: stored.answerPercentile,
          longest_run: stored.longestRun,
          compared_answers: stored.comparedAnswers,
          consistency: stored.consistency,
          text_repeats: stored.textRepeats,
          flags: signalsIn(stored.qualityFlags),
        };
  }
}
