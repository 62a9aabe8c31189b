import { SURVEY_FORMATS } from '../../campaigns/campaign/campaign.types';
import { IMAGES_MAXIMUM } from '../../campaigns/campaign/image-survey.rules';
import { IMAGE_QUESTION } from '../../campaigns/campaign/campaign.fields';
import {
  ResponseEnum,
  ResponseInteger,
  ResponseIntegers,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseText,
  ResponseUrl,
} from '../../platform/openapi/response-fields';
import {
  OPTIONS_MAXIMUM,
  QUESTION_TYPES,
  QUESTIONS_MAXIMUM,
} from '../../campaigns/questions/question.types';
import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import type { Interval } from '../../platform/statistics/interval.rules';

/** The types of question, and the formats of image surveys. */
const QUESTION_RESULT_TYPES = [
  ...QUESTION_TYPES,
  ...SURVEY_FORMATS.filter((format) => format !== 'questionnaire'),
] as const;

/** Steps of the histogram of a slider, as the function `rating_step` makes them. */
const STEPS_MAXIMUM = 101;

const COUNT = { minimum: 0, maximum: 2_147_483_647 } as const;
const PART = { minimum: 0, maximum: 1 } as const;
const RATING = { minimum: -1_000_000, maximum: 1_000_000 } as const;
const POSITION = { minimum: 1, maximum: IMAGES_MAXIMUM } as const;

/** How many gave an answer, of those who answered. */
export class ShareDto {
  /** Responses with this answer, without weights. */
  @ResponseInteger()
  count!: number;

  /** The share of those who answered, with the weights; `null` if nobody did. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;
}

export class OptionResultDto extends ShareDto {
  /** The option. */
  @ResponseText({ maximum: OPTION_LENGTH })
  value!: string;
}

export class RatedDto {
  /** The rating, or the lowest of the ratings of a step. */
  @ResponseNumber(RATING)
  value!: number;

  /** How many rated so. */
  @ResponseInteger()
  count!: number;
}

/** The results of an image; which fields there are depends on the format. */
export class ImageResultDto {
  /** The position of the image, from 1. */
  @ResponseInteger(POSITION)
  image!: number;

  @ResponseUrl()
  url!: string;

  @ResponseText({ maximum: 200 })
  label?: string;

  /** `binary`: how many preferred it, without weights. */
  @ResponseInteger()
  count?: number;

  /** `binary`: their share, with the weights; `null` if nobody answered. */
  @ResponseNumber(PART)
  share?: number | null;

  /** `image_slider`: how many rated it, without weights. */
  @ResponseInteger()
  n?: number;

  /** `image_slider`: about how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size?: number;

  /** `image_slider`: the mean rating, with the weights; `null` without ratings. */
  @ResponseNumber(RATING)
  mean?: number | null;

  /** `image_slider`: `null` below two ratings. */
  @ResponseNumber({ minimum: 0, maximum: 2 * RATING.maximum })
  standard_deviation?: number | null;

  /** `image_slider`: how many gave each rating, in at most 101 steps, without weights. */
  @ResponseList(() => RatedDto, { maximum: STEPS_MAXIMUM })
  histogram?: RatedDto[];

  /** `round_robin`: how often it was preferred, without weights. */
  @ResponseInteger()
  wins?: number;

  /** `round_robin`: its Bradley–Terry strength; all add up to 1. `null` without responses. */
  @ResponseNumber(PART)
  strength?: number | null;

  /** `round_robin`: from 1; equal strengths share a rank. `null` without responses. */
  @ResponseInteger(POSITION)
  rank?: number | null;

  /**
   * The 95 % interval of the share, mean or strength. `null` for a mean below three ratings, and
   * for a strength below five respondents.
   */
  @ResponseInterval({ nullable: true })
  interval?: Interval | null;
}

/** How often one image was preferred to another one. */
export class PairResultDto {
  /** The positions of the images. */
  @ResponseIntegers({ minimum: 2, maximum: 2, items: POSITION })
  images!: number[];

  /** How often the first was preferred, and how often the second. */
  @ResponseIntegers({ minimum: 2, maximum: 2, items: COUNT })
  wins!: number[];
}

/** The results of a question; which fields there are depends on its type. */
export class QuestionResultDto {
  /** The position of the question, from 1. */
  @ResponseInteger({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  question!: number;

  /** The type of the question, or the format of an image survey. */
  @ResponseEnum(QUESTION_RESULT_TYPES, 'QuestionResultType')
  type!: (typeof QUESTION_RESULT_TYPES)[number];

  @ResponseText(IMAGE_QUESTION)
  text!: string;

  /** Responses with an answer to it, without weights. Not for `image_slider`, where each image has its own. */
  @ResponseInteger()
  answered?: number;

  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size?: number;

  /** `single_choice` and `multiple_choice`: each option, as a share of those who answered. */
  @ResponseList(() => OptionResultDto, { maximum: OPTIONS_MAXIMUM })
  options?: OptionResultDto[];

  /**
   * `round_robin`: Kendall's coefficient of consistence. 1 if no respondent contradicts themselves.
   * `null` without responses.
   */
  @ResponseNumber(PART)
  consistency?: number | null;

  /** Image surveys: each image. */
  @ResponseList(() => ImageResultDto, { maximum: IMAGES_MAXIMUM })
  images?: ImageResultDto[];

  /** `round_robin`: each pair of images. */
  @ResponseList(() => PairResultDto, { maximum: (IMAGES_MAXIMUM * (IMAGES_MAXIMUM - 1)) / 2 })
  pairs?: PairResultDto[];
}
