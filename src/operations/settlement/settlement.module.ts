import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { PlatformKeyModule } from '../../access/platform-key/platform-key.module';
import { FieldingModule } from '../../fielding/participations/fielding.module';
import { PlatformSettlementsController } from './platform-settlements.controller';
import { Settlement } from './settlement.entity';
import { SettlementFiles } from './settlement-file.service';
import { SettlementStatements } from './settlement-statements.service';
import { SettlementWatch } from './settlement-watch.service';
import { SettlementsController } from './settlements.controller';
import { SettlementsService } from './settlements.service';

/** What respondents of platforms were paid: settlements, which the operator closes and pays. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Settlement]),
    ApiKeyModule,
    FieldingModule,
    PlatformKeyModule,
  ],
  controllers: [SettlementsController, PlatformSettlementsController],
  providers: [SettlementFiles, SettlementStatements, SettlementWatch, SettlementsService],
})
export class SettlementModule {}
