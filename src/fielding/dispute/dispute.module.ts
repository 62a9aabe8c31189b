import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { PlatformKeyModule } from '../../access/platform-key/platform-key.module';
import { EventModule } from '../../platform/event/event.module';
import { FieldingModule } from '../participations/fielding.module';
import { DisputeController } from './dispute.controller';
import { DisputeLapse } from './dispute-lapse.service';
import { DisputeLists } from './dispute-list.service';
import { DisputeService } from './dispute.service';
import { PlatformDisputeController } from './platform-dispute.controller';

/** Responses that companies dispute, and that platforms decide about. */
@Module({
  imports: [ApiKeyModule, EventModule, FieldingModule, PlatformKeyModule],
  controllers: [DisputeController, PlatformDisputeController],
  providers: [DisputeLapse, DisputeLists, DisputeService],
})
export class DisputeModule {}
