import { ApiProperty } from '@nestjs/swagger';
import { FutureTimestamp, Text, TextArray } from '../http/fields';
import type { ApiKey } from './api-key.entity';
import { Scope, SCOPES } from './scopes';

export class GenerateApiKeyDto {
  /** A name by which you tell this key from others. */
  @Text(100, { optional: true, example: 'campaign importer' })
  name?: string;

  /** What the key may do; both scopes by default. */
  @TextArray({
    minimum: 1,
    maximum: SCOPES.length,
    length: 100,
    values: SCOPES,
    optional: true,
    example: [...SCOPES],
  })
  scopes?: Scope[];

  /** When the key stops working; never by default. */
  @FutureTimestamp('2099-12-31T23:59:59Z', { optional: true })
  expires_at?: string;
}

export class GeneratedApiKeyDto {
  /** @example "key_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  key_id!: string;

  /** @example "campaign importer" */
  name!: string | null;

  /**
   * The key itself, for the `X-API-Key` header. It is shown this once and cannot be read again.
   * @example "csk_6mHc2Q9dTzW4yXvB1nKe8sLrGfJpUa0aBcDe"
   */
  api_key!: string;

  /**
   * The key's first characters, by which to recognise it later.
   * @example "csk_6mHc2Q"
   */
  prefix!: string;

  @ApiProperty({ enum: SCOPES, enumName: 'Scope', isArray: true })
  scopes!: Scope[];

  created_at!: Date;

  /** When the key stops working; `null` for never. */
  expires_at!: Date | null;

  static from(key: ApiKey, secret: string): GeneratedApiKeyDto {
    return {
      key_id: key.keyId,
      name: key.name,
      api_key: secret,
      prefix: key.prefix,
      scopes: key.scopes,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
    };
  }
}
