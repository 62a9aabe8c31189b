import { Module } from '@nestjs/common';
import { IdempotencyService } from './idempotency.service';
import { IdempotentAnswers } from './idempotent-answers';
import { OutcomeCipher } from './outcome-cipher';
import { RecordCleaner } from './record-cleaner';

@Module({
  providers: [IdempotencyService, IdempotentAnswers, OutcomeCipher, RecordCleaner],
})
export class IdempotencyModule {}
