import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { BackgroundJobs } from './background-jobs.service';

/** Provides the timers of `@nestjs/schedule`, and the service that runs their jobs. */
@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [BackgroundJobs],
  exports: [BackgroundJobs],
})
export class SchedulingModule {}
