import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_KEY_ID } from '../http/examples';
import { TextArray } from '../http/fields/array.fields';
import { WholeNumber } from '../http/fields/number.fields';
import { Text } from '../http/fields/text.fields';
import { Timestamp } from '../http/fields/timestamp.field';
import type { ApiKey } from './api-key.entity';
import { Scope, SCOPES } from './scopes';

export class GenerateApiKeyDto {
  /** A name by which you tell this key from others. */
  @Text({ maximum: 100, optional: true, example: 'campaign importer' })
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
  @Timestamp({ future: true, optional: true, example: '2099-12-31T23:59:59Z' })
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

/** An API key, without its secret. */
export class ApiKeyDto {
  /** @example "key_01k9x2v8zdf3xbz0q4v5rk6t7m" */
  key_id!: string;

  /** @example "campaign importer" */
  name!: string | null;

  /**
   * The key's first characters.
   * @example "csk_6mHc2Q"
   */
  prefix!: string;

  @ApiProperty({ enum: SCOPES, enumName: 'Scope', isArray: true })
  scopes!: Scope[];

  created_at!: Date;

  /** When the key stops working; `null` for never. */
  expires_at!: Date | null;

  /** From when the key is refused; ahead while a rotation's overlap lasts; `null` for never. */
  revoked_at!: Date | null;

  /** When the key was last used, accurate within a minute or so; `null` for never. */
  last_used_at!: Date | null;

  static from(key: ApiKey): ApiKeyDto {
    return {
      key_id: key.keyId,
      name: key.name,
      prefix: key.prefix,
      scopes: key.scopes,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      last_used_at: key.lastUsedAt,
    };
  }
}

export class ApiKeyPageDto {
  /** Newest first. */
  items!: ApiKeyDto[];

  /** Send it as `cursor` for the next page; `null` on the last one. */
  next_cursor!: string | null;
}

/** Longer than any key_id, so that a mistaken one is "not found" rather than "too long". */
const KEY_ID_MAX_LENGTH = 100;

export class RevokeApiKeyDto {
  /** The key, as its generation or the list answered it. */
  @Text({ maximum: KEY_ID_MAX_LENGTH, example: EXAMPLE_KEY_ID })
  key_id!: string;
}

/** The key in a path. */
export class ApiKeyPathDto extends RevokeApiKeyDto {}

export class RotateApiKeyDto extends RevokeApiKeyDto {
  /** How long the old key goes on working, in seconds; 0 by default. */
  @WholeNumber({ minimum: 0, maximum: 86_400, optional: true, example: 3600 })
  overlap_seconds?: number;
}

export class RotatedApiKeyDto extends GeneratedApiKeyDto {
  /** The key that this one replaces. */
  replaced!: ApiKeyDto;
}
