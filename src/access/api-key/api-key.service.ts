import { Injectable } from '@nestjs/common';
import { LessThan, Repository } from 'typeorm';
import { CompanyService, unknownCompany } from '../company/company.service';
import { CredentialKeysService } from '../credential-keys/credential-keys.service';
import { generateKey, hashKey, keyPrefix } from '../credential-keys/key-format.rules';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newId, StoredId, storedId } from '../../platform/database/identifiers';
import { columnList, insertRow, statementWith, toEntity } from '../../platform/database/rows';
import { statementLimit } from '../../platform/database/statement-limit';
import { TransactionContext } from '../../platform/database/transaction-context';
import { actorOf, Principal } from '../../platform/caller/principal';
import { cutPage, Page, readCursor } from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../../platform/validation/page-query.dto';
import { GenerateApiKeyDto, RotateApiKeyDto } from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { apiKeyNotFound } from './api-key.errors';
import { KeySpendingService } from './key-spending.service';
import { SCOPES } from './scopes';
import { companyOf, printEnvironment } from '../../platform/caller/environment.rules';

/** A key with its secret, which is returned to the client and not stored. */
interface NewApiKey {
  key: ApiKey;
  secret: string;
}

const ACTIVE = `
  SELECT scopes FROM api_key
  WHERE company_id = $1 AND key_id = $2 AND revoked_at IS NULL
    AND (overlap_ends_at IS NULL OR overlap_ends_at > clock_timestamp())
    AND (expires_at IS NULL OR expires_at > clock_timestamp())`;

@Injectable()
export class ApiKeyService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly credentialKeys: CredentialKeysService,
    private readonly spending: KeySpendingService,
    private readonly companies: CompanyService,
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
    { name, scopes, expires_at, mode = 'live', spending_limit, approval_above }: GenerateApiKeyDto,
  ): Promise<NewApiKey> {
    const secret = generateKey(mode);
    const keyId = newId('key');
    const columns = await this.spending.columnsOf(caller.callerId, {
      spending_limit,
      approval_above,
    });
    const isLimited = spending_limit !== undefined || approval_above !== undefined;
    const key = await withConstraints(
      () =>
        insertRow(this.keys, {
          keyId,
          companyId: caller.callerId,
          mode,
          updatedBy: actorOf(caller),
          keyHash: hashKey(secret),
          prefix: keyPrefix(secret),
          name: name ?? null,
          scopes: scopes ?? [...SCOPES],
          expiresAt: expires_at ?? null,
          ...columns,
          spender: isLimited ? storedId('key', keyId) : null,
        }),
      { api_key_company_fkey: unknownCompany },
    );
    return { key, secret };
  }

  /**
   * Returns a page of a company's keys, newest first, without secrets.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    companyId: StoredId,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<Page<ApiKey>> {
    const [before] = readCursor(cursor, printEnvironment(companyId), ['number']);
    const rows = await this.keys.find({
      where: { companyId, ...(before === undefined ? {} : { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: statementLimit(limit) + 1,
    });
    return cutPage(rows, limit, ({ id }) => [id], printEnvironment(companyId));
  }

  /**
   * Returns a key of a company, active or not.
   *
   * @throws ApiError `api_key_not_found`
   */
  async findOwned(companyId: StoredId, keyId: string): Promise<ApiKey> {
    const key = await this.keys.findOneBy({ companyId, keyId });
    if (key === null) {
      throw apiKeyNotFound();
    }
    return key;
  }

  /**
   * Returns the caller that a key of an environment stands for, as if the key had been sent now.
   *
   * @returns `null` if the key has ended
   */
  async principalOf(environment: StoredId, keyId: string): Promise<Principal | null> {
    const companyId = companyOf(environment);
    const [key] = await this.keys.query<{ scopes: string[] }[]>(ACTIVE, [companyId, keyId]);
    if (key === undefined) {
      return null;
    }
    const { currency } = await this.companies.byId(companyId);
    const company = printEnvironment(environment);
    return { callerId: environment, company, keyId, currency, scopes: key.scopes };
  }

  /**
   * Revokes a key: at once in this process, within a second in every other. A key that was
   * revoked before, or whose overlap is over, stays as it is.
   *
   * @throws ApiError `api_key_not_found`
   */
  async revoke(caller: Principal, keyId: string): Promise<ApiKey> {
    const rows = await this.credentialKeys.whileChanging(() =>
      this.keys.query<[Record<string, unknown>[], number]>(
        `UPDATE api_key SET
           revoked_at = CASE WHEN revoked_at IS NULL AND (overlap_ends_at <= clock.now) IS NOT TRUE
             THEN clock.now ELSE revoked_at END,
           updated_by = $3
         FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
         WHERE company_id = $1 AND key_id = $2
         RETURNING ${columnList(this.keys)}`,
        [caller.callerId, keyId, actorOf(caller)],
      ),
    );
    const [[row]] = rows;
    if (row === undefined) {
      throw apiKeyNotFound();
    }
    return toEntity(this.keys, row);
  }

  /**
   * Generates a key with the name, scopes, expiry and limits of another one, which is refused after
   * the overlap. One statement does both. Of two concurrent rotations without an overlap, the
   * second finds the key ended.
   *
   * @throws ApiError `api_key_not_found`, also if the key has ended
   */
  async rotate(
    caller: Principal,
    { key_id, overlap_seconds = 0 }: RotateApiKeyDto,
  ): Promise<NewApiKey & { replaced: ApiKey }> {
    // The new key is for the same environment, and that never changes.
    const { mode } = await this.findOwned(caller.callerId, key_id);
    const secret = generateKey(mode);
    const rows = await this.credentialKeys.whileChanging(() =>
      this.keys.query<Record<string, unknown>[]>(statementWith(this.keys, rotation), [
        caller.callerId,
        key_id,
        actorOf(caller),
        overlap_seconds,
        newId('key'),
        hashKey(secret),
        keyPrefix(secret),
      ]),
    );
    const [replaced, key] = rows.map((row) => toEntity(this.keys, row));
    if (replaced === undefined || key === undefined) {
      throw apiKeyNotFound();
    }
    return { key, secret, replaced };
  }
}

/**
 * Ends the key `$2` and creates its replacement, using the database's clock. Returns both rows, the
 * ended key first, or no row if the key has already ended.
 *
 * Here and in a revocation a subquery reads the clock: in an UPDATE, Citus refuses
 * `clock_timestamp()` and sums of times in an expression with columns.
 */
function rotation(columns: string): string {
  return `
    WITH ended AS (
      UPDATE api_key SET
        revoked_at = CASE WHEN $4::integer = 0 THEN clock.now END,
        overlap_ends_at = CASE WHEN $4 = 0 THEN overlap_ends_at
          ELSE least(overlap_ends_at, clock.overlap_end) END,
        replaced_by = $5,
        updated_by = $3
      FROM (
        SELECT clock_timestamp() AS now,
          clock_timestamp() + $4::integer * interval '1 second' AS overlap_end
        OFFSET 0
      ) AS clock
      WHERE company_id = $1 AND key_id = $2 AND revoked_at IS NULL
        AND (overlap_ends_at IS NULL OR overlap_ends_at > clock.now)
        AND (expires_at IS NULL OR expires_at > clock.now)
      RETURNING ${columns}
    ), replacement AS (
      INSERT INTO api_key
        (key_id, company_id, mode, key_hash, prefix, name, scopes, expires_at, updated_by,
        spending_limit, spending_per, approval_above, spender)
      SELECT $5, company_id, mode, $6, $7, name, scopes, expires_at, $3,
        spending_limit, spending_per, approval_above, spender FROM ended
      RETURNING ${columns}
    )
    SELECT ${columns} FROM ended AS api_key
    UNION ALL SELECT ${columns} FROM replacement AS api_key`;
}
