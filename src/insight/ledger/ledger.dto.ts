import { IntersectionType } from '@nestjs/swagger';
import { ResponseCurrency } from '../../access/company/currency.field';
import { PostId, ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { QUOTA_NAME_LENGTH } from '../../campaigns/targeting/targeting.types';
import { printId } from '../../platform/database/identifiers';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  NextCursor,
  ResponseEnum,
  ResponseFlag,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseMoney,
  ResponseText,
  ResponseTime,
} from '../../platform/openapi/response-fields';
import { ParticipationId } from '../../fielding/participations/fielding.fields';
import { MONEY_MAXIMUM } from '../../platform/validation/fields/number.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';
import { CURSOR_MAX_LENGTH, PageQueryDto } from '../../platform/validation/page-query.dto';
import {
  Account,
  ACCOUNTS,
  ACCOUNTS_OF,
  Difference,
  DIFFERENCE_FIELDS,
  DifferenceField,
  TRANSFER_KINDS,
  TransferKind,
} from './ledger.types';
import type { ListedTransfer } from './transfer.entity';

/** The most differences that one answer names. */
export const DIFFERENCES_MAXIMUM = 100;

/** More than any sum of a campaign. */
const SUM_MAXIMUM = 100_000_000_000_000;

/** Which transfers to read. */
export class TransferFilterDto {
  /** Only transfers of this campaign. */
  @PostId({ optional: true })
  post_id?: string;

  /** Only transfers of this participation. */
  @ParticipationId({ optional: true })
  participation_id?: string;

  /**
   * Only transfers of this kind. A page reads at most 1,000 transfers, so it can be short, or empty,
   * although there is a next one.
   */
  @OneOf(TRANSFER_KINDS, 'TransferKind', { optional: true })
  kind?: TransferKind;

  /**
   * Only transfers after this time. To read what has come since, ask from a minute before the latest
   * time that you have read: a transfer can appear after later ones.
   */
  @Timestamp({ optional: true, example: '2026-01-01T00:00:00Z' })
  created_after?: Date;

  /** Only transfers before this time. */
  @Timestamp({ roundUp: true, optional: true, example: '2099-01-01T00:00:00Z' })
  created_before?: Date;
}

/** Which page of them to read. */
export class TransferListQueryDto extends IntersectionType(PageQueryDto, TransferFilterDto) {}

/** The columns of an export. */
export const TRANSFER_COLUMNS = [
  'created_at',
  'post_id',
  'participation_id',
  'kind',
  'debit',
  'credit',
  'currency',
  'amount',
  'released',
] as const satisfies (keyof TransferDto)[];

/** Money that moved from one account to another. */
export class TransferDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseId('part')
  participation_id!: string;

  /** Why it moved. A participation has at most one transfer of each kind. */
  @ResponseEnum(TRANSFER_KINDS, 'TransferKind')
  kind!: TransferKind;

  /** The account that the money came from. */
  @ResponseEnum(ACCOUNTS, 'LedgerAccount')
  debit!: Account;

  /** The account that the money went to. */
  @ResponseEnum(ACCOUNTS, 'LedgerAccount')
  credit!: Account;

  @ResponseCurrency()
  currency!: string;

  @ResponseMoney({ maximum: 2 * MONEY_MAXIMUM })
  amount!: number;

  /**
   * What a `settle` leaves of the hold, which goes from `held` back to `company` with it; 0 for every
   * other kind.
   */
  @ResponseMoney()
  released!: number;

  @ResponseTime()
  created_at!: Date;

  static from({ transfer, postId }: ListedTransfer, currency: string): TransferDto {
    return {
      post_id: postId,
      participation_id: printId('part', transfer.participationId),
      kind: transfer.kind,
      ...ACCOUNTS_OF[transfer.kind],
      currency,
      amount: Number(transfer.amount),
      released: Number(transfer.released),
      created_at: transfer.createdAt,
    };
  }
}

export class TransferPageDto extends PageOf(() => TransferDto, { again: SAME_FILTERS }) {
  /**
   * Whether the operator has moved transfers of the same campaigns and time to an archive. Only the
   * last page can say so.
   */
  @ResponseFlag()
  archived!: boolean;
}

/** Where a reconciliation continues. */
export class ReconcileQueryDto {
  /** The `next_cursor` of the previous page. */
  @Text({ maximum: CURSOR_MAX_LENGTH, optional: true })
  cursor?: string;
}

/** Two records of the same money that disagree. */
export class DifferenceDto {
  /** The campaign; `null` for the balance and the spending limits of your company. */
  @ResponsePostId()
  post_id!: string | null;

  /** The participation; `null` for a counter or a balance of the campaign. */
  @ResponseId('part')
  participation_id!: string | null;

  /**
   * What disagrees: a kind of transfer, a counter, how many count in a quota, or a limit beside the counters (0 for none).
   * `release` also counts what settlements give back. A kind of transfer without a participation is
   * what the archived transfers of the campaign amount to. `balance` is the sum of its parts, and
   * `funded` what was funded. `committed` is what keys with the same spending limit have committed in
   * its period, beside what campaigns were charged to them.
   */
  @ResponseEnum(DIFFERENCE_FIELDS, 'LedgerDifferenceField')
  field!: DifferenceField;

  /** What follows from the participations, or what the campaign says. */
  @ResponseMoney({ maximum: SUM_MAXIMUM })
  expected!: number;

  /** What is recorded. */
  @ResponseMoney({ maximum: SUM_MAXIMUM })
  found!: number;

  /** The name of the quota whose count it is; `null` for anything else. */
  @ResponseText({ maximum: QUOTA_NAME_LENGTH })
  quota!: string | null;

  static from(difference: Difference): DifferenceDto {
    return {
      post_id: difference.post_id,
      participation_id:
        difference.participation_id === null ? null : printId('part', difference.participation_id),
      field: difference.field,
      expected: Number(difference.expected),
      found: Number(difference.found),
      quota: difference.quota,
    };
  }
}

export class ReconciliationDto {
  /** The number of participations that were compared with their transfers and counters. */
  @ResponseInteger()
  checked!: number;

  /** The currency of your company: that of the amounts in `differences`. */
  @ResponseCurrency()
  currency!: string;

  /** What disagrees: nothing, unless somebody has changed the database by hand. */
  @ResponseList(() => DifferenceDto, { maximum: DIFFERENCES_MAXIMUM })
  differences!: DifferenceDto[];

  /** Send it as `cursor` to compare what is left; `null` on the last page. */
  @NextCursor()
  next_cursor!: string | null;
}
