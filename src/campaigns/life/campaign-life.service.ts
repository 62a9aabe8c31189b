import { Injectable } from '@nestjs/common';
import type { CampaignState } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { TransactionContext } from '../../platform/database/transaction-context';
import { CampaignGuardrailsService } from '../guardrail/campaign-guardrails.service';
import { Principal } from '../../platform/caller/principal';
import { TargetingService } from '../targeting/targeting.service';
import { QuestionsService } from '../questions/questions.service';
import { DuplicateCampaignDto } from './campaign-life.dto';

@Injectable()
export class CampaignLifeService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly questions: QuestionsService,
    private readonly guardrails: CampaignGuardrailsService,
    private readonly targeting: TargetingService,
  ) {}

  /**
   * Creates a draft with the content of a campaign: its fields, images, questions, rewards, limits
   * and whom it asks, but neither its `external_ref` nor its times. Guardrails that watch only the
   * campaign are copied too, if that is wanted.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `too_many_guardrails`
   */
  async duplicate(
    caller: Principal,
    { post_id, title, guardrails = true }: DuplicateCampaignDto,
  ): Promise<CampaignState> {
    return this.transaction.run(async () => {
      const campaign = await this.campaigns.findOwned(caller.callerId, post_id);
      const copy = await this.campaigns.copy(caller, campaign, title);
      if (guardrails) {
        await this.guardrails.copy(caller.callerId, post_id, copy.postId);
      }
      let { version } = copy;
      if (campaign.questionSetVersion !== null) {
        version = await this.questions.copy(caller, campaign, copy.postId);
      }
      if (campaign.targetingVersion !== null) {
        const { targeting } = await this.targeting.current(caller.callerId, post_id);
        version = (await this.targeting.replace(caller, copy.postId, targeting)).campaignVersion;
      }
      return { ...copy, version };
    });
  }
}
