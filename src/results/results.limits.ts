import { SURVEY_FORMATS } from '../campaign/campaign.types';
import { QUESTION_TYPES } from '../questions/question.rules';

/** The types of question, and the formats of image surveys. */
export const QUESTION_RESULT_TYPES = [
  ...QUESTION_TYPES,
  ...SURVEY_FORMATS.filter((format) => format !== 'questionnaire'),
] as const;

export type QuestionResultType = (typeof QUESTION_RESULT_TYPES)[number];

/** An option of a choice question. */
export const OPTION = { maximum: 200 } as const;

/** The caption of an image. */
export const IMAGE_LABEL = { maximum: 200 } as const;

/** Steps of the histogram of a slider, as the function `rating_step` makes them. */
export const STEPS_MAXIMUM = 101;
