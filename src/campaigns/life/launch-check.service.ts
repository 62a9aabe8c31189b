import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { BalanceService } from '../balance/balance.service';
import type { Campaign } from '../campaign/campaign.entity';
import { TransactionContext } from '../../platform/database/transaction-context';
import { CampaignGuardrailsService } from '../guardrail/campaign-guardrails.service';
import { QuestionSet } from '../questions/question-set.entity';
import { TargetingService } from '../targeting/targeting.service';
import { EVERYBODY, Targeting } from '../targeting/targeting.types';
import {
  BALANCE_LOW,
  checkLaunch,
  LaunchCheck,
  NONE_TAKEN,
  TakenPlaces,
} from './launch-check.rules';

/** The places of a campaign ($2) of a company ($1), whose largest reward is $3. */
const TAKEN = `
  SELECT g.taken, g.screened_out, g.spent + coalesce((
    SELECT sum(greatest(p.held, $3::numeric)) FROM participation AS p
    WHERE p.company_id = $1 AND p.campaign_id = $2 AND p.state = 'open'
  ), 0) AS cost
  FROM campaign_progress AS g WHERE g.company_id = $1 AND g.campaign_id = $2`;

@Injectable()
export class LaunchCheckService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly guardrails: CampaignGuardrailsService,
    private readonly targeting: TargetingService,
    private readonly balances: BalanceService,
  ) {}

  /** Checks what starting a campaign now would mean, and what watches it. */
  async check(campaign: Campaign): Promise<LaunchCheck> {
    const { companyId, id, postId, largestReward } = campaign;
    // Without max_responses, nothing is calculated from the places.
    const taken =
      campaign.maxResponses === null
        ? []
        : await this.transaction.manager.query<TakenPlaces[]>(TAKEN, [
            companyId,
            id,
            largestReward,
          ]);
    const guardrails = await this.guardrails.watching(companyId, postId);
    const check = checkLaunch(campaign, taken[0] ?? NONE_TAKEN, guardrails, {
      set: await this.setOf(campaign),
      targeting: await this.rulesOf(campaign),
    });
    if (!campaign.isLive && (await this.lacksMoney(campaign))) {
      check.blockers.push(BALANCE_LOW);
    }
    return check;
  }

  /** Whether the balance of the company does not pay one response. */
  private async lacksMoney({ companyId, largestReward }: Campaign): Promise<boolean> {
    const { is_prepaid, available, allotted } = await this.balances.read(companyId);
    return is_prepaid && new Big(available).plus(allotted).lt(largestReward);
  }

  private setOf({ companyId, id, questionSetVersion: version }: Campaign) {
    return version === null
      ? null
      : this.transaction.manager.findOneBy(QuestionSet, { companyId, campaignId: id, version });
  }

  /** Reads the rules, which a dry run may have replaced: nothing may remember these. */
  private async rulesOf({ companyId, postId, targetingVersion }: Campaign): Promise<Targeting> {
    return targetingVersion === null
      ? EVERYBODY
      : (await this.targeting.current(companyId, postId)).targeting;
  }
}
