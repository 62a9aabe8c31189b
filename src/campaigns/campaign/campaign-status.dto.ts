import { Mode, modeOf } from '../../platform/caller/environment.rules';
import { ResponseCurrency } from '../../access/company/currency.field';
import { ResponseMode } from '../../access/company/mode.field';
import { ResponseEnum, ResponseEnums, ResponseFlag } from '../../platform/openapi/response-fields';
import type { CampaignState } from './campaign.entity';
import {
  CAMPAIGN_STATUSES,
  CampaignStatus,
  STATUS_REASONS,
  StatusReason,
  STOP_REASONS,
  StopReason,
} from './campaign.types';
import { currentStateOf } from './status.rules';

/** Where a campaign is in its life. Every response that describes a campaign has these fields. */
export class CampaignStatusDto {
  /** Whether the campaign is live or test data. */
  @ResponseMode()
  mode!: Mode;

  /** Whether the campaign is started: exactly if `status` is `live`. */
  @ResponseFlag()
  is_live!: boolean;

  /** Where the campaign is in its life. */
  @ResponseEnum(CAMPAIGN_STATUSES, 'CampaignStatus')
  status!: CampaignStatus;

  /** Why the campaign has its status. */
  @ResponseEnums(STATUS_REASONS, 'StatusReason', { minimum: 0 })
  status_reasons!: StatusReason[];

  /** Why the campaign was stopped last; `null` while it is live, and before its first start. */
  @ResponseEnum(STOP_REASONS, 'StopReason', { nullable: true })
  stop_reason!: StopReason | null;
}

/** The status of a campaign, and the currency of its amounts. */
export class CampaignLifeDto extends CampaignStatusDto {
  /** The currency of every amount of the campaign. */
  @ResponseCurrency()
  currency!: string;
}

export function statusFields(campaign: CampaignState): CampaignStatusDto {
  const { status, statusReasons, stopReason, isLive } = currentStateOf(campaign);
  return {
    is_live: isLive,
    mode: modeOf(campaign.companyId),
    status,
    status_reasons: statusReasons,
    stop_reason: stopReason,
  };
}
