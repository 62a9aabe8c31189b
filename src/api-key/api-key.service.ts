import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { unknownCompany } from '../company/company.service';
import { withConstraints } from '../database/constraint-violation';
import { newId } from '../database/identifiers';
import { ApiError } from '../http/api-error';
import { GenerateApiKeyDto } from './api-key.dto';
import { ApiKey } from './api-key.entity';
import { generateKey, hashKey, isWellFormedKey, keyPrefix } from './key-format';
import { SCOPES } from './scopes';

@Injectable()
export class ApiKeyService {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  /**
   * Generates a key for a company (section 4.7). The secret is returned this once.
   *
   * @throws ApiError `token_invalid` if the company does not exist
   */
  async generate(
    companyId: string,
    { name, scopes, expires_at }: GenerateApiKeyDto,
  ): Promise<{ key: ApiKey; secret: string }> {
    const secret = generateKey();
    const key = this.keys.create({
      keyId: newId('key'),
      companyId,
      keyHash: hashKey(secret),
      prefix: keyPrefix(secret),
      name: name ?? null,
      scopes: scopes ?? [...SCOPES],
      expiresAt: expires_at === undefined ? null : new Date(expires_at),
    });
    await withConstraints(() => this.keys.insert(key), {
      api_key_company_fkey: unknownCompany,
    });
    return { key, secret };
  }

  /**
   * The key that a secret belongs to (section 5). A mistyped secret is refused by its checksum,
   * before the database is asked.
   *
   * @throws ApiError `api_key_invalid` or `api_key_expired`
   */
  async authenticate(secret: string): Promise<ApiKey> {
    if (!isWellFormedKey(secret)) {
      throw new ApiError('api_key_invalid', 'The API key is not valid.');
    }
    const keyHash = hashKey(secret);
    const key = await this.keys.findOneBy({ keyHash });
    if (key === null || !timingSafeEqual(key.keyHash, keyHash)) {
      throw new ApiError('api_key_invalid', 'The API key is not valid.');
    }
    if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()) {
      throw new ApiError('api_key_expired', 'The API key has expired.');
    }
    return key;
  }
}
