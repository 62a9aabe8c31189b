import { Global, Module } from '@nestjs/common';
import { HeavyWork } from '../limits/heavy-work';
import { RateLimits } from './rate-limits.service';

/** Provides the limits that hold for the whole process. */
@Global()
@Module({ providers: [RateLimits, HeavyWork], exports: [RateLimits, HeavyWork] })
export class RateLimitModule {}
