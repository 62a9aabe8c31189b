import { Global, Module } from '@nestjs/common';
import { RateLimits } from './rate-limits.service';

/** Provides the limits to every guard. */
@Global()
@Module({ providers: [RateLimits], exports: [RateLimits] })
export class RateLimitModule {}
