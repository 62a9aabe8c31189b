import { IntersectionType, OmitType } from '@nestjs/swagger';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseList,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { NestedObject, ObjectArray } from '../../platform/validation/fields/array.fields';
import { Flag } from '../../platform/validation/fields/choice.fields';
import { Decimal } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { HttpUrl } from '../../platform/validation/fields/url.field';
import { IMAGE_QUESTION } from './campaign.fields';
import { CreateCampaignDto } from './campaign.dto';
import type { CampaignState } from './campaign.entity';
import { CampaignStateDto } from './campaign-state.dto';
import { ImageSurveyFormat, SURVEY_FORMATS, SurveyFormat } from './campaign.types';
import {
  checkScale,
  countPairs,
  DEFAULT_SCALE,
  IMAGE_LIMITS,
  IMAGES_MAXIMUM,
  ImageSurvey,
  Scale,
} from './image-survey.rules';

const LABEL_MAX_LENGTH = 200;
const SCALE_LIMITS = { minimum: -1_000_000, maximum: 1_000_000, places: 2 } as const;

/** An image that respondents see. */
export class ImageDto {
  /** The address of the image; stored, never fetched. */
  @HttpUrl({ example: 'https://example.com/a.png' })
  url!: string;

  @Text({ maximum: LABEL_MAX_LENGTH, optional: true, example: 'Design A' })
  label?: string;
}

/** The scale on which respondents rate an image. */
export class ScaleDto {
  /** The lowest rating; 0 by default. */
  @Decimal({ ...SCALE_LIMITS, optional: true, example: 0 })
  min?: number;

  /** The highest rating, above `min`; 10 by default. */
  @Decimal({ ...SCALE_LIMITS, optional: true, example: 10 })
  max?: number;

  /** The step between two ratings; it divides the range evenly; 1 by default. */
  @Decimal({ ...SCALE_LIMITS, minimum: 0.01, optional: true, example: 1 })
  step?: number;

  /** What the lowest rating means. */
  @Text({ maximum: LABEL_MAX_LENGTH, optional: true, example: 'not at all' })
  min_label?: string;

  /** What the highest rating means. */
  @Text({ maximum: LABEL_MAX_LENGTH, optional: true, example: 'very much' })
  max_label?: string;
}

/** A scale with its defaults filled in. */
export function completeScale(scale: ScaleDto | undefined): Scale {
  const complete = { ...DEFAULT_SCALE, ...withoutAbsent(scale ?? {}) };
  // Turns the negative zero that JSON allows into the zero that the database stores.
  return { ...complete, min: complete.min + 0, max: complete.max + 0 };
}

/**
 * Removes absent fields, which are `undefined` in an instance, so that they do not override
 * defaults.
 */
function withoutAbsent<T extends object>(dto: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(dto).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

/** The question of an image survey. */
export function ImageQuestion(presence: { optional?: boolean } = {}): PropertyDecorator {
  return Text({ ...IMAGE_QUESTION, ...presence });
}

/** The images of an image survey, all different. */
export function Images(
  [minimum, maximum]: readonly [number, number],
  presence: { optional?: boolean } = {},
): PropertyDecorator {
  return ObjectArray(() => ImageDto, minimum, maximum, {
    ...presence,
    distinctBy: 'url',
    example: ['a', 'b', 'c'].slice(0, Math.min(3, maximum)).map((name) => ({
      url: `https://example.com/${name}.png`,
      label: `Design ${name.toUpperCase()}`,
    })),
  });
}

/** The scale of a slider. */
export function ScaleField(): PropertyDecorator {
  return NestedObject(() => ScaleDto, {
    optional: true,
    rule: (scale) => checkScale(completeScale(scale)),
  });
}

class CreateImageSurveyDto extends CreateCampaignDto {
  /** The question about the images. */
  @ImageQuestion()
  question!: string;
}

class CreatePairsDto extends CreateImageSurveyDto {
  /** Respondents can also answer `tie`; `false` by default. */
  @Flag({ optional: true, example: false })
  allow_ties?: boolean;

  /** Respondents can also answer `skip`; `false` by default. */
  @Flag({ optional: true, example: false })
  allow_skips?: boolean;
}

export class CreateRoundRobinDto extends CreatePairsDto {
  /** Each respondent compares every pair of images. */
  @Images(IMAGE_LIMITS.round_robin)
  images!: ImageDto[];
}

export class CreateBinaryDto extends CreatePairsDto {
  /** Each respondent picks one of the two. */
  @Images(IMAGE_LIMITS.binary)
  images!: ImageDto[];
}

export class CreateImageSliderDto extends CreateImageSurveyDto {
  /** Each respondent rates every image on the scale. */
  @Images(IMAGE_LIMITS.image_slider)
  images!: ImageDto[];

  /** 0 to 10 in steps of 1 by default. */
  @ScaleField()
  scale?: ScaleDto;
}

/** Returns the content of an image survey as it is stored. */
export function toImageSurvey({
  question,
  images,
  scale,
  allow_ties,
  allow_skips,
}: {
  question: string;
  images: ImageDto[];
  scale?: Scale;
  allow_ties?: boolean;
  allow_skips?: boolean;
}): ImageSurvey {
  return {
    question,
    images: images.map(({ url, label }) => ({ url, ...(label === undefined ? {} : { label }) })),
    ...(scale === undefined ? {} : { scale }),
    ...(allow_ties === true ? { allow_ties } : {}),
    ...(allow_skips === true ? { allow_skips } : {}),
  };
}

/** The content of an image survey (section 4.7). */
export class ImageSurveyDto {
  @ResponseText(IMAGE_QUESTION)
  question!: string;

  @ResponseList(() => ImageDto, { minimum: 1, maximum: IMAGES_MAXIMUM })
  images!: ImageDto[];

  /** The number of images. */
  @ResponseInteger()
  total_images!: number;

  /** How many pairs each respondent compares; `round_robin` only. */
  @ResponseInteger()
  total_pairs?: number;

  /** The scale for each image; `image_slider` only. */
  @ResponseObject(() => ScaleDto)
  scale?: ScaleDto;

  /** Whether an answer can be `tie`; absent if not. */
  @ResponseFlag()
  allow_ties?: boolean;

  /** Whether an answer can be `skip`; absent if not. */
  @ResponseFlag()
  allow_skips?: boolean;

  static from(
    { question, images, scale, allow_ties, allow_skips }: ImageSurvey,
    format: SurveyFormat | null,
  ): ImageSurveyDto {
    return {
      question,
      images,
      total_images: images.length,
      ...(format === 'round_robin' ? { total_pairs: countPairs(images.length) } : {}),
      ...(scale === undefined ? {} : { scale }),
      ...(allow_ties === undefined ? {} : { allow_ties }),
      ...(allow_skips === undefined ? {} : { allow_skips }),
    };
  }
}

export class CreatedImageSurveyDto extends IntersectionType(
  CampaignStateDto,
  OmitType(ImageSurveyDto, ['question', 'images']),
) {
  /** How the survey asks. */
  @ResponseEnum(SURVEY_FORMATS, 'SurveyFormat')
  format!: ImageSurveyFormat;

  static create(campaign: CampaignState, content: ImageSurvey): CreatedImageSurveyDto {
    const format = campaign.format as ImageSurveyFormat;
    const {
      question: _question,
      images: _images,
      ...counts
    } = ImageSurveyDto.from(content, format);
    return { ...CampaignStateDto.from(campaign), format, ...counts };
  }
}
