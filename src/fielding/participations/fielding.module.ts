import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalanceModule } from '../../campaigns/balance/balance.module';
import { Campaign } from '../../campaigns/campaign/campaign.entity';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { EventModule } from '../../platform/event/event.module';
import { GuardrailModule } from '../../campaigns/guardrail/guardrail.module';
import { TargetingModule } from '../../campaigns/targeting/targeting.module';
import { PlatformKeyModule } from '../../access/platform-key/platform-key.module';
import { Beginning } from './beginning.service';
import { CampaignOwners } from './campaign-owners.service';
import { CorrectionsController } from './corrections.controller';
import { ErasedRows } from './erased-rows.service';
import { ErasureService } from './erasure.service';
import { ExpiryService } from './expiry.service';
import { FieldingController } from './fielding.controller';
import { FieldingKeys } from './fielding-keys.service';
import { FieldingListService } from './fielding-list.service';
import { RespondentHistory } from './respondent-history.service';
import { HeldPlaces } from './held-places.service';
import { LiveCampaigns } from './live-campaigns.service';
import { ParticipationReads } from './participation-reads.service';
import { ParticipationSteps } from './participation-steps.service';
import { ParticipationsController } from './participations.controller';
import { ParticipationsService } from './participations.service';
import { ReceiptKeySetController } from './receipt-key-set.controller';
import { ReceiptsService } from './receipts.service';
import { SealedKey } from './sealed-key.entity';

/**
 * What platforms do: list campaigns for respondents, begin, submit, abandon, reverse and erase, and
 * read what their respondents did.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([Campaign, SealedKey]),
    BalanceModule,
    CampaignModule,
    EventModule,
    GuardrailModule,
    PlatformKeyModule,
    TargetingModule,
  ],
  controllers: [
    FieldingController,
    ParticipationsController,
    CorrectionsController,
    ReceiptKeySetController,
  ],
  providers: [
    Beginning,
    CampaignOwners,
    ErasedRows,
    ErasureService,
    ExpiryService,
    FieldingKeys,
    FieldingListService,
    RespondentHistory,
    HeldPlaces,
    LiveCampaigns,
    ParticipationReads,
    ParticipationSteps,
    ParticipationsService,
    ReceiptsService,
  ],
  exports: [
    Beginning,
    CampaignOwners,
    FieldingKeys,
    ParticipationSteps,
    ParticipationsService,
    ReceiptsService,
  ],
})
export class FieldingModule {}
