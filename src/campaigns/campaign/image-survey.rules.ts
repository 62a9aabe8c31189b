import { Big } from 'big.js';
import type { Problem } from '../../platform/validation/fields/field';
import type { ImageSurveyFormat } from './campaign.types';

/** An image that respondents look at. */
interface SurveyImage {
  url: string;
  label?: string;
}

/** The scale on which a respondent rates an image, from `min` to `max` in steps of `step`. */
export interface Scale {
  min: number;
  max: number;
  step: number;
  min_label?: string;
  max_label?: string;
}

/** The content of an image survey, as it is stored. */
export interface ImageSurvey {
  question: string;
  images: SurveyImage[];
  /** For `image_slider` only. */
  scale?: Scale;
  /** For formats with pairs only: an answer can be `tie`. */
  allow_ties?: true;
  /** For formats with pairs only: an answer can be `skip`. */
  allow_skips?: true;
}

/** What an answer about two images can be instead of the position of one of them. */
export type Undecided = 'tie' | 'skip';

/** Returns the answers without a preferred image that a survey takes. */
export function undecidedIn({ allow_ties, allow_skips }: ImageSurvey): Undecided[] {
  return [
    ...(allow_ties === true ? (['tie'] as const) : []),
    ...(allow_skips === true ? (['skip'] as const) : []),
  ];
}

/** Minimum and maximum number of images of each format. */
export const IMAGE_LIMITS: Readonly<Record<ImageSurveyFormat, readonly [number, number]>> = {
  round_robin: [3, 20],
  binary: [2, 2],
  image_slider: [1, 20],
};

/** Maximum number of images of any format. */
export const IMAGES_MAXIMUM = Math.max(...Object.values(IMAGE_LIMITS).map(([, most]) => most));

/** The scale of a slider that does not name one. */
export const DEFAULT_SCALE = { min: 0, max: 10, step: 1 } as const;

/** The number of unordered pairs of images; each respondent compares them all. */
export function countPairs(images: number): number {
  return (images * (images - 1)) / 2;
}

/** Checks the fields of a scale against each other; each field is valid in itself. */
export function checkScale({ min, max, step }: Scale): Problem[] {
  if (min >= max) {
    return [{ at: '.max', code: 'too_small', message: 'must be greater than min' }];
  }
  return new Big(max).minus(min).mod(step).eq(0)
    ? []
    : [
        {
          at: '.step',
          code: 'uneven_step',
          message: 'must divide the range from min to max evenly',
        },
      ];
}
