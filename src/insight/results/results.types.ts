import type { CampaignProgressDto } from '../../campaigns/campaign/campaign-progress.dto';
import type { Asked } from '../../campaigns/questions/question.types';
import type { PeriodDto } from './results-parts.dto';
import type { Counting, Tallied } from './tally.rules';

/** What a campaign asked in the version that is counted, and all that its results come from. */
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
