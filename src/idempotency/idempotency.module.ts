import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { IdempotencyService } from './idempotency.service';
import { OutcomeCipher } from './outcome-cipher';
import { RecordCleaner } from './record-cleaner';

@Module({
  providers: [
    IdempotencyService,
    OutcomeCipher,
    RecordCleaner,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
