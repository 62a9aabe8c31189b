import { Mode, modeOf } from '../company/environment.rules';
import { ResponseEnum, ResponseEnums } from '../openapi/response-fields';
import type { Campaign } from './campaign.entity';
import {
  CAMPAIGN_STATUSES,
  CampaignStatus,
  STATUS_REASONS,
  StatusReason,
  STOP_REASONS,
  StopReason,
} from './campaign.types';
import { showsStanding, standingOf } from './status.rules';

/** Where a campaign is in its life, as responses show it. */
interface StandingFields {
  mode: Mode;
  is_live: boolean;
  status: CampaignStatus;
  status_reasons: StatusReason[];
  stop_reason: StopReason | null;
}

export function ResponseStatus(): PropertyDecorator {
  return ResponseEnum(CAMPAIGN_STATUSES, 'CampaignStatus');
}

export function ResponseStatusReasons(): PropertyDecorator {
  return ResponseEnums(STATUS_REASONS, 'StatusReason', { minimum: 0 });
}

export function ResponseStopReason(): PropertyDecorator {
  return ResponseEnum(STOP_REASONS, 'StopReason', { nullable: true });
}

export function standingFields(campaign: Campaign): StandingFields {
  const { status, statusReasons, stopReason, isLive } = standingOf(campaign);
  return {
    mode: modeOf(campaign.companyId),
    is_live: isLive,
    status,
    status_reasons: statusReasons,
    stop_reason: stopReason,
  };
}

/**
 * The fields of responses that the specification describes. A client that uses the specification's
 * fields alone gets the specification's members alone.
 */
export function shownStanding(
  campaign: Campaign,
): Pick<StandingFields, 'is_live'> & Partial<StandingFields> {
  const { is_live, ...standing } = standingFields(campaign);
  return showsStanding(campaign) ? { is_live, ...standing } : { is_live };
}
