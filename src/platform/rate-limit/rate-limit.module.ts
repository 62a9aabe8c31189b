import { Global, Module } from '@nestjs/common';
import { ConnectionShares } from '../limits/connection-shares';
import { HeavyWork } from '../limits/heavy-work';
import { RateLimits } from './rate-limits.service';

/** Provides the limits that hold for the whole process. */
@Global()
@Module({
  providers: [RateLimits, HeavyWork, ConnectionShares],
  exports: [RateLimits, HeavyWork, ConnectionShares],
})
export class RateLimitModule {}
