import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RecentReads } from '../../platform/database/recent-reads';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError } from '../../platform/protocol/api-error';
import type { Principal } from '../../platform/caller/principal';
import { hashKey, isWellFormedKey } from './key-format.rules';
import { KeyUsageService } from './key-usage.service';
import { KnownKey, readKey } from './known-key';

/** Why a key is refused. */
export const KEY_ERRORS = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
] as const;

/** The keys that the `X-API-Key` header carries: those of companies and those of platforms. */
@Injectable()
export class CredentialKeysService {
  /** Recently read keys, by the hash of their secret. */
  private readonly cache = new RecentReads<string, KnownKey>();

  constructor(
    private readonly transaction: TransactionContext,
    private readonly usage: KeyUsageService,
  ) {}

  /**
   * Returns the caller whose key is in the `X-API-Key` header (section 5), whatever kind of key it
   * is: scopes decide about the route. The checksum refuses a mistyped key without a query.
   *
   * @param fresh reads the key from the database, whether or not it is in the cache
   * @throws ApiError `api_key_missing`, `api_key_invalid`, `api_key_expired` or `api_key_revoked`
   */
  async authenticate(
    { 'x-api-key': secret }: IncomingHttpHeaders,
    { fresh = false } = {},
  ): Promise<Principal> {
    if (typeof secret !== 'string' || secret === '') {
      throw new ApiError('api_key_missing', 'The X-API-Key header is missing.');
    }
    if (!isWellFormedKey(secret)) {
      throw new ApiError('api_key_invalid', 'The API key is not valid.');
    }
    const keyHash = hashKey(secret);
    const read = () => readKey(this.transaction.manager, secret, keyHash);
    const key = await (fresh ? read() : this.cache.get(keyHash.toString('base64'), read));
    if (key === null || !timingSafeEqual(key.keyHash, keyHash)) {
      throw new ApiError('api_key_invalid', 'The API key is not valid.');
    }
    const now = performance.now();
    if (key.revoked || key.overlapEnds <= now) {
      throw new ApiError('api_key_revoked', 'The API key has been revoked.');
    }
    if (key.expires <= now) {
      throw new ApiError('api_key_expired', 'The API key has expired.');
    }
    this.usage.record(key);
    const { companyId, company, keyId, platform, currency, scopes } = key;
    return { callerId: companyId, company, keyId, platform, currency, scopes };
  }

  /**
   * Runs a change of keys, then clears the cache, even if the change failed: it may have been
   * committed.
   */
  async whileChanging<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      this.transaction.afterEnd(() => {
        this.cache.clear();
      });
    }
  }
}
