import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { FieldingModule } from '../../fielding/participations/fielding.module';
import { GuardrailModule } from '../../campaigns/guardrail/guardrail.module';
import { TargetingModule } from '../../campaigns/targeting/targeting.module';
import { SimulationController } from './simulation.controller';
import { SimulationService } from './simulation.service';

/** Made-up respondents for test campaigns. */
@Module({
  imports: [ApiKeyModule, CampaignModule, FieldingModule, GuardrailModule, TargetingModule],
  controllers: [SimulationController],
  providers: [SimulationService],
})
export class SimulationModule {}
