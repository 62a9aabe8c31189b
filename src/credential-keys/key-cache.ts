import { Injectable } from '@nestjs/common';
import { RecentReads } from '../database/recent-reads';
import type { KnownKey } from './known-key';

/** Recently read keys, by the hash of their secret. */
@Injectable()
export class KeyCache extends RecentReads<string, KnownKey> {}
