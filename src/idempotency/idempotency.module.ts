import { Global, Module } from '@nestjs/common';
import { IdempotencyService } from './idempotency.service';
import { OutcomeCipher } from './outcome-cipher';
import { RecordCleaner } from './record-cleaner';

@Global()
@Module({
  providers: [IdempotencyService, OutcomeCipher, RecordCleaner],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
