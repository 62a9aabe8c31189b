import { Global, Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.service';

/** The limits, for every guard. */
@Global()
@Module({ providers: [RateLimits], exports: [RateLimits] })
export class RateLimitModule {}
