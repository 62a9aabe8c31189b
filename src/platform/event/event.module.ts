import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Event } from './event.entity';
import { HistoryService } from './history.service';
import { SequencerService } from './sequencer.service';
import { WaitingReaders } from './waiting-readers.service';

@Module({
  imports: [TypeOrmModule.forFeature([Event])],
  providers: [HistoryService, SequencerService, WaitingReaders],
  exports: [HistoryService, SequencerService, WaitingReaders],
})
export class EventModule {}
