import type { CampaignProgressDto } from '../../campaigns/campaign/campaign-progress.dto';
import type { Asked } from '../../campaigns/questions/question.types';
import type { MarginsResultDto, PeriodDto } from './results-parts.dto';
import type { Counting, Tallied } from './tally.rules';
import type { TallyPosition } from './tally.columns';

/** What a campaign asked in the version that is counted, and all that its results come from. */
export interface CampaignResults extends Asked, TallyPosition {
  postId: string;
  /** ISO 4217. */
  currency: string;
  /** `null` for an image survey, and for a campaign without questions. */
  version: number | null;
  /** The name of the quota whose responses are counted; `null` for all responses. */
  quota: string | null;
  counting: Counting;
  tallied: Tallied;
  /** The same without the weights of margins: what cohorts were paid is not about them. */
  unweighted: Tallied;
  margins: MarginsResultDto | null;
  /** Over all responses, whatever the quota: how many there are, and when they came. */
  whole: Tallied;
  timeline: PeriodDto[];
  progress: CampaignProgressDto;
}
