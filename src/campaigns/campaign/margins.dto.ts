import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Big } from 'big.js';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import {
  Field,
  isPlainObject,
  Presence,
  Problem,
  problem,
} from '../../platform/validation/fields/field';
import { Trimmed } from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';

/** Maximum number of banners, and of margins, of a campaign. */
export const BANNERS_MAXIMUM = 5;
export const MARGINS_MAXIMUM = 5;

/** Shares of one margin. */
const SHARES = { minimum: 2, maximum: 50 } as const;
/** No option and no quota has a longer name. */
const NAME_LENGTH = 500;
const PLACES = 6;

const KEY_PATTERN = '^[a-z0-9_]{1,40}$';
const KEY = { type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN } as const;

const BANNERS: ApiPropertyOptions = {
  type: 'array',
  items: KEY,
  minItems: 1,
  maxItems: BANNERS_MAXIMUM,
  uniqueItems: true,
};

function checkBanners(value: unknown): Problem[] {
  if (!Array.isArray(value)) {
    return problem('invalid_type', 'must be an array');
  }
  if (value.length === 0) {
    return problem('too_few', 'must have at least 1 entry');
  }
  if (value.length > BANNERS_MAXIMUM) {
    return problem('too_many', `must have at most ${BANNERS_MAXIMUM} entries`);
  }
  return (value as unknown[]).flatMap((key, index) => {
    const at = `[${index}]`;
    if (typeof key !== 'string' || !new RegExp(KEY_PATTERN).test(key)) {
      return problem('not_allowed', 'must be the key of a question', at);
    }
    return value.indexOf(key) < index
      ? problem('duplicate', 'must differ from the entries before it', at)
      : [];
  });
}

/** Keys of questions by whose answers the results are also kept. */
export function Banners(presence: Presence = {}): PropertyDecorator {
  return Field(checkBanners, { ...BANNERS, example: ['gender', 'region'] }, presence);
}

export function ResponseBanners(): PropertyDecorator {
  return ApiProperty(BANNERS);
}

const SHARES_SCHEMA: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: { type: 'number', minimum: 0.000001, maximum: 0.999999 },
};

function checkMarginShares(value: unknown): Problem[] {
  if (!isPlainObject(value)) {
    return problem('invalid_type', 'must be an object');
  }
  const shares = Object.entries(value);
  if (shares.length < SHARES.minimum || shares.length > SHARES.maximum) {
    return problem(
      shares.length < SHARES.minimum ? 'too_few' : 'too_many',
      `must have ${SHARES.minimum} to ${SHARES.maximum} shares`,
    );
  }
  const problems = shares.flatMap(([name, share]) => checkShare(name, share));
  if (problems.length > 0) {
    return problems;
  }
  const sum = shares.reduce((total, [, share]) => total.plus(share as number), new Big(0));
  return sum.eq(1) ? [] : problem('sum_not_one', `must sum to 1, but sum to ${sum.toFixed()}`);
}

function checkShare(name: string, share: unknown): Problem[] {
  const at = `.${name.slice(0, 100)}`;
  if (name.length === 0 || name.length > NAME_LENGTH || !name.isWellFormed()) {
    return problem('not_allowed', 'must be the name of an answer or a quota', at);
  }
  if (typeof share !== 'number' || !(share > 0 && share < 1)) {
    return problem('not_allowed', 'must be a number between 0 and 1', at);
  }
  return new Big(share).round(PLACES).eq(share)
    ? []
    : problem('not_allowed', `must have at most ${PLACES} decimal places`, at);
}

/** What is known about those whom the campaign wants to know about. */
export class MarginDto {
  /** The key of a question with one answer; without it, the shares are those of quotas. */
  @Trimmed()
  @Field(
    (value) =>
      typeof value === 'string' && new RegExp(KEY_PATTERN).test(value)
        ? []
        : problem('not_allowed', 'must be the key of a question'),
    { ...KEY, example: 'gender' },
    { optional: true },
  )
  question?: string;

  /** The share of each answer, or of each quota by its name: numbers that sum to 1. */
  @Transform(({ value }: { value: unknown }) => normalized(value))
  @Field(checkMarginShares, { ...SHARES_SCHEMA, example: { female: 0.51, male: 0.49 } })
  shares!: Record<string, number>;
}

const normalized = (value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, share]) => [normalizeText(name.trim()), share]),
      )
    : value;

/** Margins of a campaign. */
export function Margins(presence: Presence = {}): PropertyDecorator {
  return applyDecorators(ObjectArray(() => MarginDto, 1, MARGINS_MAXIMUM, presence));
}
