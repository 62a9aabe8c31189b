import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { ResultsModule } from '../results/results.module';
import { WavesController } from './waves.controller';
import { WavesService } from './waves.service';

/** Results of campaigns side by side. */
@Module({
  imports: [ApiKeyModule, ResultsModule],
  controllers: [WavesController],
  providers: [WavesService],
  exports: [WavesService],
})
export class WavesModule {}
