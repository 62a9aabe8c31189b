import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { CompletingGuardrail } from '../../campaigns/guardrail/known-enough.rules';
import type { LaunchCheck } from '../../campaigns/life/launch-check.rules';
import type { CampaignQuotas } from '../../campaigns/targeting/targeting.service';

/** A campaign, and how far it is. */
export interface Subject {
  campaign: Campaign;
  /** What starting it would mean. */
  launch: LaunchCheck;
  /** Whether the campaign exists only for this forecast. */
  isNew: boolean;
  answered: number;
  /** An exact decimal. */
  spent: string;
  /** Those who were paid although their answers do not qualify. */
  screened_out: number;
  /** Its rules, and how far its quotas are; `null` if it asks everybody. */
  quotas: CampaignQuotas | null;
  /** What completes it once it is known well enough. */
  completing: readonly CompletingGuardrail[];
}
