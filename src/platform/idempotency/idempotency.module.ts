import { Module } from '@nestjs/common';
import { IdempotencyService } from './idempotency.service';
import { IdempotentRunner } from './idempotent-runner';
import { RecordCleaner } from './record-cleaner';
import { RecordSeals } from './record-seal';

@Module({
  providers: [IdempotencyService, IdempotentRunner, RecordCleaner, RecordSeals],
})
export class IdempotencyModule {}
