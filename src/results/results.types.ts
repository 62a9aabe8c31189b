import type { CampaignProgressDto } from '../campaign/campaign-progress.dto';
import type { SurveyFormat } from '../campaign/campaign.types';
import type { ImageSurvey } from '../campaign/image-survey.rules';
import type { Question } from '../questions/question.rules';
import type { PeriodDto } from './results-parts.dto';
import type { Counting, Tallied } from './tally.rules';

/** What a campaign asked in the version that is counted. */
export interface Asked {
  /** `null` for advertisements. */
  format: SurveyFormat | null;
  /** `null` for an image survey, and for a campaign without questions. */
  questions: readonly Question[] | null;
  imageSurvey: ImageSurvey | null;
  /** The width of a step of the histograms of a slider; `null` without a scale. */
  ratingStep: string | null;
}

/** Everything that the results of a campaign are computed from. */
export interface CampaignResults extends Asked {
  postId: string;
  /** ISO 4217. */
  currency: string;
  /** `null` for an image survey, and for a campaign without questions. */
  version: number | null;
  asOfSeq: number;
  asOf: Date;
  counting: Counting;
  tallied: Tallied;
  timeline: PeriodDto[];
  progress: CampaignProgressDto;
}
