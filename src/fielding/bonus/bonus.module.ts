import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { EventModule } from '../../platform/event/event.module';
import { BonusController } from './bonus.controller';
import { BonusService } from './bonus.service';

/** What companies pay respondents besides the reward. */
@Module({
  imports: [ApiKeyModule, EventModule],
  controllers: [BonusController],
  providers: [BonusService],
})
export class BonusModule {}
