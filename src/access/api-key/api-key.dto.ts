import { OmitType } from '@nestjs/swagger';
import { PageOf } from '../../platform/openapi/page-of';
import {
  ResponseEnums,
  ResponseId,
  ResponseMoney,
  ResponseObject,
  ResponseText,
  ResponseTime,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import { MODES, Mode } from '../../platform/caller/environment.rules';
import { ResponseMode } from '../company/mode.field';
import { NestedObject, TextArray } from '../../platform/validation/fields/array.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { WholeNumber } from '../../platform/validation/fields/number.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import type { ApiKey } from './api-key.entity';
import { EXAMPLE_KEY_ID } from './api-key.examples';
import { Scope, SCOPES } from './scopes';
import { ApprovalAbove, SpendingLimitDto } from './spending-limit.dto';

const NAME = { maximum: 100, example: 'campaign importer' } as const;

export class GenerateApiKeyDto {
  /** A name that tells this key from your others. */
  @Text({ ...NAME, optional: true })
  name?: string;

  /** What the key may do; every scope by default. */
  @TextArray({
    minimum: 1,
    maximum: SCOPES.length,
    length: 100,
    values: SCOPES,
    name: 'Scope',
    optional: true,
    example: [...SCOPES],
  })
  scopes?: Scope[];

  /** When the key stops working; never by default. */
  @Timestamp({ future: true, optional: true, example: '2099-12-31T23:59:59Z' })
  expires_at?: Date;

  /** `test` for a key that sees and makes test data only; `live` by default. */
  @OneOf(MODES, 'Mode', { optional: true, example: 'live' })
  mode?: Mode;

  /** The most that campaigns may cost that the key starts or enlarges; no limit by default. */
  @NestedObject(() => SpendingLimitDto, { optional: true })
  spending_limit?: SpendingLimitDto;

  /**
   * What a campaign may cost that the key starts or enlarges by itself. What costs more waits for your
   * approval; nothing does by default.
   */
  @ApprovalAbove()
  approval_above?: number;
}

/** An API key, without its secret. */
export class ApiKeyDto {
  @ResponseId('key')
  key_id!: string;

  @ResponseText(NAME)
  name!: string | null;

  /** Whether the key is for live or for test data. */
  @ResponseMode()
  mode!: Mode;

  /** The first characters of the key. */
  @ResponseToken('^csk_(?:test_)?[0-9A-Za-z]{6}$', 15)
  prefix!: string;

  @ResponseEnums(SCOPES, 'Scope')
  scopes!: Scope[];

  @ResponseTime()
  created_at!: Date;

  /** When the key stops working; `null` for never. */
  @ResponseTime()
  expires_at!: Date | null;

  /** When the key is revoked, in the future during a rotation's overlap; `null` for never. */
  @ResponseTime()
  revoked_at!: Date | null;

  /** The most that campaigns may cost that the key starts or enlarges; `null` for no limit. */
  @ResponseObject(() => SpendingLimitDto, { nullable: true })
  spending_limit!: SpendingLimitDto | null;

  /** What a campaign may cost that the key starts or enlarges by itself; `null` for anything. */
  @ResponseMoney()
  approval_above!: number | null;

  /** When the key was last used, accurate to about a minute; `null` for never. */
  @ResponseTime()
  last_used_at!: Date | null;

  static from(key: ApiKey): ApiKeyDto {
    return {
      key_id: key.keyId,
      name: key.name,
      mode: key.mode,
      prefix: key.prefix,
      scopes: key.scopes,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: firstOf(key.overlapEndsAt, key.revokedAt),
      spending_limit: SpendingLimitDto.from(key),
      approval_above: key.approvalAbove === null ? null : Number(key.approvalAbove),
      last_used_at: key.lastUsedAt,
    };
  }
}

/** Returns the earlier of two times; `null` means never. */
function firstOf(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other < one) ? other : one;
}

export class GeneratedApiKeyDto extends OmitType(ApiKeyDto, ['revoked_at', 'last_used_at']) {
  /** The key itself, for the `X-API-Key` header. It is shown once and cannot be read again. */
  @ResponseToken('^csk_(?:test_)?[0-9A-Za-z]{36}$', 45)
  api_key!: string;

  /** The first characters of the key, to recognize it later. */
  override prefix!: string;

  static from(key: ApiKey, secret: string): GeneratedApiKeyDto {
    const { revoked_at: _revoked, last_used_at: _used, ...generated } = ApiKeyDto.from(key);
    return { ...generated, api_key: secret };
  }
}

export class ApiKeyPageDto extends PageOf(() => ApiKeyDto) {}

export class RevokeApiKeyDto {
  /** The key, by the `key_id` that its generation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_KEY_ID })
  key_id!: string;
}

/** The key in a path. */
export class ApiKeyPathDto extends RevokeApiKeyDto {}

export class RotateApiKeyDto extends RevokeApiKeyDto {
  /** How long the old key continues to work, in seconds; 0 by default. */
  @WholeNumber({ minimum: 0, maximum: 86_400, optional: true, example: 3600 })
  overlap_seconds?: number;
}

export class RotatedApiKeyDto extends GeneratedApiKeyDto {
  /** The key that this one replaces. */
  @ResponseObject(() => ApiKeyDto)
  replaced!: ApiKeyDto;
}
