import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { Texts } from './texts';
import type { View } from './view.rules';

/** What a question is drawn with besides its results. */
export interface Drawn {
  imageSurvey: ImageSurvey | null;
  /** Lines that one question has at most. */
  maximum: number;
  view: View;
  /** Whether the page has tables of one question by another. */
  hasTables: boolean;
  /** What respondents typed, by the position of the question; `undefined` if it is not shown. */
  texts: ReadonlyMap<number, Texts> | undefined;
}
