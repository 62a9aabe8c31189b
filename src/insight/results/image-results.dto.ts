import { IMAGES_MAXIMUM } from '../../campaigns/campaign/image-survey.rules';
import {
  ResponseInteger,
  ResponseIntegers,
  ResponseInterval,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseText,
  ResponseUrl,
} from '../../platform/openapi/response-fields';
import type { Interval } from '../../platform/statistics/interval.rules';
import { ofType } from '../../campaigns/questions/question-fields.dto';
import { COUNT, PART, QuestionResultFieldsDto, RATING, RatedDto } from './result-fields.dto';
import { STEPS_MAXIMUM } from './rating-steps.rules';

const POSITION = { minimum: 1, maximum: IMAGES_MAXIMUM } as const;

/** What the result of every image has. */
export class ImageFieldsDto {
  /** The position of the image, from 1. */
  @ResponseInteger(POSITION)
  image!: number;

  @ResponseUrl()
  url!: string;

  @ResponseText({ maximum: 200 })
  label?: string;
}

/** One of two images: how many preferred it. */
export class PreferredImageDto extends ImageFieldsDto {
  /** How many preferred it, without weights. */
  @ResponseInteger()
  count!: number;

  /** Their share, with the weights; `null` if nobody answered. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;
}

/** An image that was rated. */
export class RatedImageDto extends ImageFieldsDto {
  /** How many rated it, without weights. */
  @ResponseInteger()
  n!: number;

  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size!: number;

  /** The mean rating, with the weights; `null` without ratings. */
  @ResponseNumber(RATING)
  mean!: number | null;

  /** `null` below two ratings. */
  @ResponseNumber({ minimum: 0, maximum: 2 * RATING.maximum })
  standard_deviation!: number | null;

  /** The 95 % interval of the mean; `null` below three ratings. */
  @ResponseInterval({ nullable: true })
  interval!: Interval | null;

  /** How many gave each rating, in at most 101 steps, without weights. */
  @ResponseList(() => RatedDto, { maximum: STEPS_MAXIMUM })
  histogram!: RatedDto[];
}

/** An image that was compared with the others. */
export class ComparedImageDto extends ImageFieldsDto {
  /** How often it was preferred, without weights. */
  @ResponseInteger()
  wins!: number;

  /** Its Bradley–Terry strength; all add up to 1. `null` without responses. */
  @ResponseNumber(PART)
  strength!: number | null;

  /** The 95 % interval of the strength; `null` below five respondents. */
  @ResponseInterval({ nullable: true })
  interval!: Interval | null;

  /** From 1; equal strengths share a rank. `null` without responses. */
  @ResponseInteger(POSITION)
  rank!: number | null;
}

/** How often one image was preferred to another one. */
export class PairResultDto {
  /** The positions of the images. */
  @ResponseIntegers({ minimum: 2, maximum: 2, items: POSITION })
  images!: number[];

  /** How often the first was preferred, and how often the second. */
  @ResponseIntegers({ minimum: 2, maximum: 2, items: COUNT })
  wins!: number[];

  /** How often neither was; absent unless the survey allows ties. */
  @ResponseInteger()
  ties?: number;

  /** How often the pair was skipped; absent unless the survey allows skips. */
  @ResponseInteger()
  skips?: number;
}

/** How many preferred neither of two images. */
export class TiedImagesDto {
  /** How many, without weights. */
  @ResponseInteger()
  count!: number;

  /** Their share, with the weights; `null` if nobody answered. */
  @ResponseNumber(PART)
  share!: number | null;

  /** The 95 % interval of the share. */
  @ResponseInterval()
  interval!: Interval;
}

/** What the results of two images, and of images in pairs, have. */
export class AnsweredImagesDto extends QuestionResultFieldsDto {
  /** Responses with an answer, without weights. */
  @ResponseInteger()
  answered!: number;

  /** About how many responses of equal weight would be as precise. */
  @ResponseNumber(COUNT)
  effective_size!: number;
}

/** The result of one of two images. */
@ofType('binary')
export class BinaryResultDto extends AnsweredImagesDto {
  @ResponseList(() => PreferredImageDto, { maximum: IMAGES_MAXIMUM })
  images!: PreferredImageDto[];

  /** Those who preferred neither; absent unless the survey allows ties. */
  @ResponseObject(() => TiedImagesDto)
  ties?: TiedImagesDto;

  /** Those who skipped the question, who are not in `answered`; absent unless the survey allows skips. */
  @ResponseInteger()
  skips?: number;
}

/** The result of images that were rated. */
@ofType('image_slider')
export class ImageSliderResultDto extends QuestionResultFieldsDto {
  @ResponseList(() => RatedImageDto, { maximum: IMAGES_MAXIMUM })
  images!: RatedImageDto[];
}

/** The result of images that were compared in pairs. */
@ofType('round_robin')
export class RoundRobinResultDto extends AnsweredImagesDto {
  /**
   * Kendall's coefficient of consistence, of those who preferred an image in every pair. 1 if none of them
   * contradicts themselves; `null` without them.
   */
  @ResponseNumber(PART)
  consistency!: number | null;

  @ResponseList(() => ComparedImageDto, { maximum: IMAGES_MAXIMUM })
  images!: ComparedImageDto[];

  /** Each pair of images. */
  @ResponseList(() => PairResultDto, { maximum: (IMAGES_MAXIMUM * (IMAGES_MAXIMUM - 1)) / 2 })
  pairs!: PairResultDto[];
}
