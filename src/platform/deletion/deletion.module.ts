import { Module } from '@nestjs/common';
import { Deletions } from './deletions.service';

/** The removal of what deleted webhooks and guardrails have in other tables. */
@Module({ providers: [Deletions], exports: [Deletions] })
export class DeletionModule {}
