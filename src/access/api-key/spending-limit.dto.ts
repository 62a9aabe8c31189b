import { Big } from 'big.js';
import { ResponseCurrency } from '../company/currency.field';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import {
  ResponseId,
  ResponseMoney,
  ResponseObject,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Money } from '../../platform/validation/fields/number.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import type { ApiKey } from './api-key.entity';
import { EXAMPLE_KEY_ID } from './api-key.examples';
import {
  KeyLimits,
  KeySpending,
  SPENDING_PERIODS,
  SpendingLimit,
  SpendingPeriod,
} from './spending.types';

/** The most that campaigns may cost that a key starts or enlarges. */
export class SpendingLimitDto implements SpendingLimit {
  /** In your company's currency. With 0, the key starts nothing. */
  @Money({ minimum: 0, example: 500 })
  amount!: number;

  /** For each `day` or `month`, from midnight UTC, or in `total`. */
  @OneOf(SPENDING_PERIODS, 'SpendingPeriod', { example: 'month' })
  per!: SpendingPeriod;

  static from({ spendingLimit, spendingPer }: LimitedKey): SpendingLimitDto | null {
    return spendingLimit === null || spendingPer === null
      ? null
      : { amount: Number(spendingLimit), per: spendingPer };
  }
}

type LimitedKey = Pick<ApiKey, 'spendingLimit' | 'spendingPer'>;

/** What a campaign may cost that a key starts or enlarges by itself. */
const APPROVAL_ABOVE = { minimum: 0, example: 200 } as const;

/** A field for what a campaign may cost that a key starts or enlarges without an approval. */
export function ApprovalAbove({ nullable = false } = {}): PropertyDecorator {
  return Money({ ...APPROVAL_ABOVE, nullable, optional: true });
}

/** At least one of the limits. */
@RefineSchema((schema) => ({ ...schema, minProperties: 2 }))
export class UpdateKeyLimitsDto implements KeyLimits {
  /** The key, by the `key_id` that its generation returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_KEY_ID })
  key_id!: string;

  /** The new limit; `null` removes it. */
  @NestedObject(() => SpendingLimitDto, { nullable: true, optional: true })
  spending_limit?: SpendingLimitDto | null;

  /** The new amount above which the key needs an approval; `null` for none. */
  @ApprovalAbove({ nullable: true })
  approval_above?: number | null;
}

/** More than a campaign or a key can commit. */
export const COMMITTED = { maximum: 1_000_000_000_000_000_000 } as const;

/** What a key has committed in the current period of its limit. */
export class KeySpendingDto {
  @ResponseId('key')
  key_id!: string;

  /** The currency of the amounts. */
  @ResponseCurrency()
  currency!: string;

  /** The limit; `null` for none. */
  @ResponseObject(() => SpendingLimitDto, { nullable: true })
  spending_limit!: SpendingLimitDto | null;

  /**
   * What the campaigns can cost at most that the key has started or enlarged in the period, less
   * what was given back since. It includes what the keys committed that this one replaced, or that
   * replaced it. `null` without a limit.
   */
  @ResponseMoney(COMMITTED)
  committed!: number | null;

  /** What the key may still commit in the period; `null` without a limit. */
  @ResponseMoney()
  left!: number | null;

  /** When the next period begins; `null` if the limit is in `total`, or there is none. */
  @ResponseTime()
  resets_at!: Date | null;

  static from(key: ApiKey, { currency, committed, resetsAt }: KeySpending): KeySpendingDto {
    const limit = SpendingLimitDto.from(key);
    return {
      key_id: key.keyId,
      currency,
      spending_limit: limit,
      committed: committed === null ? null : Number(committed),
      left: limit === null || committed === null ? null : leftOf(limit.amount, committed),
      resets_at: resetsAt,
    };
  }
}

/** A limit that was lowered can be below what is committed. */
function leftOf(limit: number, committed: string): number {
  return Math.max(0, Number(new Big(limit).minus(committed)));
}
