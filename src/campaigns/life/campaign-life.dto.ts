import { PickType } from '@nestjs/swagger';
import type { Campaign } from '../campaign/campaign.entity';
import { TITLE } from '../campaign/campaign.fields';
import { COST } from '../campaign/campaign-progress.dto';
import { CampaignPathDto } from '../campaign/campaign-read.dto';
import { PostId } from '../campaign/post-id.field';
import { ResponseCurrency } from '../../access/company/currency.field';
import { GuardrailDto } from '../guardrail/guardrail.dto';
import { CAMPAIGN_GUARDRAILS_MAXIMUM } from '../guardrail/guardrail.types';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseObject,
  ResponseText,
} from '../../platform/openapi/response-fields';
import { Flag } from '../../platform/validation/fields/choice.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { QUESTIONS_MAXIMUM } from '../questions/question.types';
import { BLOCKER_CODES, LAUNCH_WARNING_CODES, LaunchCheck } from './launch-check.rules';

export class ArchiveCampaignDto extends CampaignPathDto {}

export class DuplicateCampaignDto {
  /** The campaign to copy. */
  @PostId()
  post_id!: string;

  /** The title of the copy; by default that of the campaign. */
  @Text({ ...TITLE, optional: true, example: 'Coffee habits, second wave' })
  title?: string;

  /** Whether the copy gets the guardrails that watch only this campaign; `true` by default. */
  @Flag({ optional: true, example: true })
  guardrails?: boolean;
}

/** A guardrail that watches the campaign. */
export class WatchingGuardrailDto extends PickType(GuardrailDto, ['guardrail_id', 'name', 'then']) {
  /** Whether it can fire. If it has fired on this campaign, it is armed again first. */
  @ResponseFlag()
  armed!: boolean;
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
  @ResponseText({ maximum: 500 })
  message!: string;

  /** What it is about in the targeting, such as `quotas[0].limit`; `null` for all other warnings. */
  @ResponseText({ maximum: 200 })
  field!: string | null;
}

/** The shortest and the longest way through the questions. */
export class PathsDto {
  /** The fewest questions that a respondent can be shown. */
  @ResponseInteger({ maximum: QUESTIONS_MAXIMUM })
  shortest!: number;

  /** The most questions that a respondent can be shown. */
  @ResponseInteger({ maximum: QUESTIONS_MAXIMUM })
  longest!: number;

  /** Whether there are such ways; `false` if conditions are so many that the numbers are only bounds. */
  @ResponseFlag()
  exact!: boolean;
}

/** The most warnings that one response has. */
export const WARNINGS_MAXIMUM = 200;

export class LaunchCheckDto {
  /** Whether the service would start the campaign: whether there are no blockers. */
  @ResponseFlag()
  ready!: boolean;

  /** Why the service would refuse to start it. */
  @ResponseList(() => LaunchBlockerDto, { maximum: BLOCKER_CODES.length })
  blockers!: LaunchBlockerDto[];

  /** What you may not have intended. Warnings never prevent a start. */
  @ResponseList(() => LaunchWarningDto, { maximum: WARNINGS_MAXIMUM })
  warnings!: LaunchWarningDto[];

  /** The currency of the amounts. */
  @ResponseCurrency()
  currency!: string;

  /**
   * The most that all responses together can cost; `null` if nothing limits it. Exact, and up to
   * 10,000,000,000,000,000 (10 to the 16th): from 70,368,744,177,664 (2 to the 46th), a double rounds
   * it, so parse it as a decimal if the cents matter.
   */
  @ResponseMoney(COST)
  maximum_cost!: string | null;

  /** The guardrails that watch it, oldest first, also those of all campaigns. */
  @ResponseList(() => WatchingGuardrailDto, { maximum: 2 * CAMPAIGN_GUARDRAILS_MAXIMUM })
  guardrails!: WatchingGuardrailDto[];

  /** How many questions a respondent is shown; `null` without questions. */
  @ResponseObject(() => PathsDto, { nullable: true })
  paths!: PathsDto | null;

  static from(
    { currency }: Campaign,
    { maximumCost, guardrails, ...found }: LaunchCheck,
  ): LaunchCheckDto {
    return {
      ready: found.blockers.length === 0,
      ...found,
      warnings: found.warnings.slice(0, WARNINGS_MAXIMUM),
      currency,
      maximum_cost: maximumCost,
      guardrails,
    };
  }
}
