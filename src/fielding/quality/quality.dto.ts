import {
  ResponseEnums,
  ResponseInteger,
  ResponseNumber,
} from '../../platform/openapi/response-fields';
import { OPTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { COMPARED_MINIMUM } from './lines.rules';
import { REPEATS_MAXIMUM, signalsIn } from './quality.rules';
import { QUALITY_SIGNALS, QualitySignal } from '../../campaigns/questions/quality-signals.types';
import type { StoredQuality } from './quality.types';

/** A matrix has as many rows as a question can have options. */
const COMPARED = { minimum: COMPARED_MINIMUM, maximum: OPTIONS_MAXIMUM } as const;

/** How carefully a response looks answered. It never changes what the respondent is paid. */
export class QualityDto {
  /**
   * Percent of the earlier responses to the same questions that took less time; `null` if fewer than 30
   * were counted.
   */
  @ResponseInteger({ minimum: 0, maximum: 100 })
  answer_percentile!: number | null;

  /**
   * The most equal answers in a row, of those that can be on one line: ratings of images, places of options
   * in single choices, rows of a matrix, or ratings of a battery. Of several lines, it is the straightest;
   * `null` if none has 5 answers.
   */
  @ResponseInteger({ minimum: 1, maximum: OPTIONS_MAXIMUM })
  longest_run!: number | null;

  /** How many answers can be on that line; `null` if none has 5. */
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
