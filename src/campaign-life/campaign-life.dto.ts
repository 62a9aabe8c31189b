import type { Mode } from '../company/environment.rules';
import { ResponseMode } from '../company/mode.field';
import { CampaignStateDto } from '../campaign/campaign-state.dto';
import type { Campaign } from '../campaign/campaign.entity';
import { TITLE } from '../campaign/campaign.fields';
import type { CampaignStatus, StatusReason, StopReason } from '../campaign/campaign.types';
import { MAX_RESPONSES } from '../campaign/life.fields';
import { PostId } from '../campaign/post-id.field';
import {
  ResponseStatus,
  ResponseStatusReasons,
  ResponseStopReason,
  standingFields,
} from '../campaign/standing.fields';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseList,
  ResponseMoney,
  ResponseText,
} from '../openapi/response-fields';
import { MONEY_MAXIMUM } from '../validation/fields/number.fields';
import { Text } from '../validation/fields/text.fields';
import { BLOCKER_CODES, checkLaunch, LAUNCH_WARNING_CODES } from './launch-check.rules';

export class ArchiveCampaignDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;
}

export class DuplicateCampaignDto {
  /** The campaign to copy. */
  @PostId()
  post_id!: string;

  /** The title of the copy; by default that of the campaign. */
  @Text({ ...TITLE, optional: true, example: 'Coffee habits, second wave' })
  title?: string;
}

/** A campaign with its status. */
export class CampaignStandingDto extends CampaignStateDto {
  /** Whether the campaign is live or test data. */
  @ResponseMode()
  declare mode: Mode;

  /** Where the campaign is in its life. */
  @ResponseStatus()
  declare status: CampaignStatus;

  /** Why the campaign has its status. */
  @ResponseStatusReasons()
  declare status_reasons: StatusReason[];

  /** Why the campaign was stopped last; `null` while it is live, and before its first start. */
  @ResponseStopReason()
  declare stop_reason: StopReason | null;

  static override from(campaign: Campaign): CampaignStandingDto {
    return { ...CampaignStateDto.from(campaign), ...standingFields(campaign) };
  }
}

export class LaunchBlockerDto {
  /** What is in the way, for programs. */
  @ResponseEnum(BLOCKER_CODES, 'LaunchBlockerCode')
  code!: (typeof BLOCKER_CODES)[number];

  /** What is in the way, for people. */
  @ResponseText({ maximum: 200 })
  message!: string;
}

export class LaunchWarningDto {
  /** What the warning is about, for programs. */
  @ResponseEnum(LAUNCH_WARNING_CODES, 'LaunchWarningCode')
  code!: (typeof LAUNCH_WARNING_CODES)[number];

  /** What the warning is about, for people. */
  @ResponseText({ maximum: 200 })
  message!: string;
}

export class LaunchCheckDto {
  /** Whether the service would start the campaign: whether there are no blockers. */
  @ResponseFlag()
  ready!: boolean;

  /** Why the service would refuse to start it. */
  @ResponseList(() => LaunchBlockerDto, { maximum: BLOCKER_CODES.length })
  blockers!: LaunchBlockerDto[];

  /** What you may not have intended. Warnings never prevent a start. */
  @ResponseList(() => LaunchWarningDto, { maximum: 10 })
  warnings!: LaunchWarningDto[];

  /** The most that all responses together can cost; `null` if nothing limits it. */
  @ResponseMoney({ maximum: MONEY_MAXIMUM * MAX_RESPONSES.maximum })
  maximum_cost!: number | null;

  static from(campaign: Campaign): LaunchCheckDto {
    const { blockers, warnings, maximumCost } = checkLaunch(campaign);
    return {
      ready: blockers.length === 0,
      blockers,
      warnings,
      maximum_cost: maximumCost === null ? null : Number(maximumCost),
    };
  }
}
