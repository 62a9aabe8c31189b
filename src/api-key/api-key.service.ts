import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThan, Repository } from 'typeorm';
import { unknownCompany } from '../company/company.service';
import { withConstraints } from '../database/constraint-violation';
import { newId } from '../database/identifiers';
import { columnList, toEntity } from '../database/rows';
import { TransactionContext } from '../database/transaction-context';
import { actorOf, Principal } from '../http/principal';
import { ApiError } from '../http/api-error';
import { cutPage, Page, readCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../http/page.dto';
import { GenerateApiKeyDto, RotateApiKeyDto } from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { KeyCache } from './key-cache';
import { generateKey, hashKey, isWellFormedKey, keyPrefix } from './key-format';
import { KeyUsageService } from './key-usage.service';
import { SCOPES } from './scopes';

/** A key with its secret, which exists only until it is answered. */
export interface NewApiKey {
  key: ApiKey;
  secret: string;
}

@Injectable()
export class ApiKeyService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly cache: KeyCache,
    private readonly usage: KeyUsageService,
  ) {}

  private get keys(): Repository<ApiKey> {
    return this.transaction.manager.getRepository(ApiKey);
  }

  /**
   * Generates a key for a company (section 4.7). The secret is returned this once.
   *
   * @throws ApiError `token_invalid` if the company does not exist
   */
  async generate(
    caller: Principal,
    { name, scopes, expires_at }: GenerateApiKeyDto,
  ): Promise<NewApiKey> {
    return withConstraints(
      () =>
        this.insert(caller, {
          name: name ?? null,
          scopes: scopes ?? [...SCOPES],
          expiresAt: expires_at === undefined ? null : new Date(expires_at),
        }),
      { api_key_company_fkey: unknownCompany },
    );
  }

  /**
   * A page of a company's keys, newest first, without secrets.
   *
   * @throws ApiError `validation_failed` if the cursor is not one of this list
   */
  async list(
    companyId: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<Page<ApiKey>> {
    const [before] = cursor === undefined ? [] : readCursor(cursor, companyId, ['identifier']);
    const rows = await this.keys.find({
      where: { companyId, ...(before === undefined ? {} : { keyId: LessThan(before) }) },
      order: { keyId: 'DESC' },
      take: limit + 1,
    });
    return cutPage(rows, limit, ({ keyId }) => [keyId], companyId);
  }

  /**
   * A key of a company, in use or not.
   *
   * @throws ApiError `api_key_not_found`
   */
  async findOwned(companyId: string, keyId: string): Promise<ApiKey> {
    const key = await this.keys.findOneBy({ companyId, keyId });
    if (key === null) {
      throw apiKeyNotFound();
    }
    return key;
  }

  /**
   * Refuses a key from now on: at once in this process, within a second in every other. A key
   * that is revoked already stays so.
   *
   * @throws ApiError `api_key_not_found`
   */
  async revoke(caller: Principal, keyId: string): Promise<ApiKey> {
    return this.forgettingKeys(async () => {
      const key = await this.endBy(caller, keyId, new Date());
      if (key === null) {
        throw apiKeyNotFound();
      }
      return key;
    });
  }

  /**
   * Generates a key with the name, scopes and expiry of another one, which is refused once the
   * overlap is over.
   *
   * @throws ApiError `api_key_not_found`, also for a key that is refused already
   */
  async rotate(
    caller: Principal,
    { key_id, overlap_seconds = 0 }: RotateApiKeyDto,
  ): Promise<NewApiKey & { replaced: ApiKey }> {
    const rotation = async () => {
      // Takes the row, so that of two rotations at once the second finds the key already ending.
      const old = await this.keys.findOne({
        where: { companyId: caller.companyId, keyId: key_id },
        lock: { mode: 'pessimistic_write' },
      });
      // Only now: while it waited for the row, the other one may have ended the key.
      const now = Date.now();
      if (old === null || isPast(old.revokedAt, now) || isPast(old.expiresAt, now)) {
        throw apiKeyNotFound();
      }
      const end = new Date(now + overlap_seconds * 1000);
      const replaced = (await this.endBy(caller, key_id, end)) ?? old;
      const { name, scopes, expiresAt } = old;
      return { ...(await this.insert(caller, { name, scopes, expiresAt })), replaced };
    };
    return this.forgettingKeys(() => this.transaction.run(rotation));
  }

  /**
   * The key that a secret belongs to (section 5). A mistyped secret is refused by its checksum,
   * before the database is asked.
   *
   * @throws ApiError `api_key_invalid`, `api_key_expired` or `api_key_revoked`
   */
  async authenticate(secret: string): Promise<ApiKey> {
    if (!isWellFormedKey(secret)) {
      throw new ApiError('api_key_invalid', 'The API key is not valid.');
    }
    const keyHash = hashKey(secret);
    const key = await this.cache.get(keyHash.toString('base64'), () =>
      this.keys.findOneBy({ keyHash }),
    );
    if (key === null || !timingSafeEqual(key.keyHash, keyHash)) {
      throw new ApiError('api_key_invalid', 'The API key is not valid.');
    }
    const now = Date.now();
    if (isPast(key.revokedAt, now)) {
      throw new ApiError('api_key_revoked', 'The API key has been revoked.');
    }
    if (isPast(key.expiresAt, now)) {
      throw new ApiError('api_key_expired', 'The API key has expired.');
    }
    this.usage.record(key.keyId);
    return key;
  }

  /** Clears the cache after work on keys, failed or not: it may have been done all the same. */
  private async forgettingKeys<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.transaction.afterEnd(() => {
        this.cache.clear();
      });
    }
  }

  private async insert(
    caller: Principal,
    described: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>,
  ): Promise<NewApiKey> {
    const secret = generateKey();
    const key = this.keys.create({
      ...described,
      keyId: newId('key'),
      companyId: caller.companyId,
      updatedBy: actorOf(caller),
      keyHash: hashKey(secret),
      prefix: keyPrefix(secret),
    });
    await this.keys.insert(key);
    return { key, secret };
  }

  /** Has a key end at a moment, or when it would have ended anyway, if that is sooner. */
  private async endBy(caller: Principal, keyId: string, end: Date): Promise<ApiKey | null> {
    const [[row]] = await this.keys.query<[Record<string, unknown>[], number]>(
      `UPDATE api_key SET revoked_at = least(revoked_at, $3::timestamptz), updated_by = $4
       WHERE company_id = $1 AND key_id = $2
       RETURNING ${columnList(this.keys)}`,
      [caller.companyId, keyId, end, actorOf(caller)],
    );
    return row === undefined ? null : toEntity(this.keys, row);
  }
}

function isPast(moment: Date | null, now: number): boolean {
  return moment !== null && moment.getTime() <= now;
}

function apiKeyNotFound(): ApiError {
  return new ApiError('api_key_not_found', 'There is no such API key, or it is no longer in use.');
}
