import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { BackgroundJobs } from './background-jobs.service';
import { EmbeddedUpkeep } from './embedded-upkeep.service';
import { Lease } from './lease.service';
import { SharedJobs } from './shared-jobs.service';

/** Provides the timers of `@nestjs/schedule`, and the services that run their jobs. */
@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [BackgroundJobs, EmbeddedUpkeep, Lease, SharedJobs],
  exports: [BackgroundJobs, SharedJobs],
})
export class SchedulingModule {}
