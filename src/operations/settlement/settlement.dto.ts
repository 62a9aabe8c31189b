import { ResponseCurrency } from '../../access/company/currency.field';
import { ResponsePostId } from '../../campaigns/campaign/post-id.field';
import { ResponseReceipt } from '../../fielding/participations/fielding.fields';
import { TRANSFER_KINDS, TransferKind } from '../../insight/ledger/ledger.types';
import { printId } from '../../platform/database/identifiers';
import { PageOf, SAME_FILTERS } from '../../platform/openapi/page-of';
import {
  NextCursor,
  ResponseEnum,
  ResponseId,
  ResponseInteger,
  ResponseList,
  ResponseNumber,
  ResponseObject,
  ResponseSequence,
  ResponseText,
  ResponseTime,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { MONEY_MAXIMUM } from '../../platform/validation/fields/number.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';
import { PAGE_LIMIT_MAXIMUM, PageQueryDto } from '../../platform/validation/page-query.dto';
import { Settlement } from './settlement.entity';
import {
  REFERENCE_MAXIMUM,
  SETTLEMENT_STATES,
  SettlementLine,
  SettlementState,
} from './settlement.types';

/**
 * The settlement_id in the documentation's examples. On the documentation page it stands for the
 * settlement that was listed there last.
 */
export const EXAMPLE_SETTLEMENT_ID = 'stl_01k9x2v8zdf3xbz0q4v5rk6t7m';

/** More than any sum. */
const SUM = { minimum: -100_000_000_000_000, maximum: 100_000_000_000_000 } as const;

/** The longest name of a platform, and more than that of a company's test data. */
const PLATFORM_MAXIMUM = 100;

/** Which settlements to list. */
export class SettlementListQueryDto extends PageQueryDto {
  /** Only settlements in this state. */
  @OneOf(SETTLEMENT_STATES, 'SettlementState', { optional: true })
  state?: SettlementState;
}

/** The settlement in a path. */
export class SettlementPathDto {
  /** The settlement, by the `settlement_id` that the list returned. */
  @Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_SETTLEMENT_ID })
  settlement_id!: string;
}

/** What respondents of a platform were paid in the campaigns of one company since the last one. */
export class SettlementDto {
  @ResponseId('stl')
  settlement_id!: string;

  /** The settlement of the same company and platform that ends where this one begins. */
  @ResponseId('stl')
  previous_settlement_id!: string | null;

  /** The platform whose respondents were paid; for test data, the company's test environment. */
  @ResponseText({ maximum: PLATFORM_MAXIMUM })
  platform!: string;

  @ResponseCurrency()
  currency!: string;

  /** The number of payments and reversals: of the lines of its file. */
  @ResponseInteger({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  payments!: number;

  /** The number of campaigns that they are of. */
  @ResponseInteger({ minimum: 1 })
  campaigns!: number;

  /** What was paid, without what was taken back: negative if that is more. */
  @ResponseNumber(SUM)
  net!: number;

  /** The SHA-256 of its file, in hexadecimal. */
  @ResponseToken('^[0-9a-f]{64}$', 64)
  sha256!: string;

  /** Everything above, signed like a receipt; see the guide to money. */
  @ResponseReceipt()
  statement!: string;

  /** `paid` once the operator has paid it. Nothing else of a settlement ever changes. */
  @ResponseEnum(SETTLEMENT_STATES, 'SettlementState')
  state!: SettlementState;

  /** What it was paid with, such as the number of a bank transfer; `null` until then. */
  @ResponseText({ maximum: REFERENCE_MAXIMUM })
  reference!: string | null;

  @ResponseTime()
  closed_at!: Date;

  /** When the operator recorded that it is paid; `null` until then. */
  @ResponseTime()
  paid_at!: Date | null;

  static from(settlement: Settlement, statement: string): SettlementDto {
    const { previousId, paidAt } = settlement;
    return {
      settlement_id: printId('stl', settlement.settlementId),
      previous_settlement_id: previousId === null ? null : printId('stl', previousId),
      platform: settlement.platform,
      currency: settlement.currency,
      payments: Number(settlement.payments),
      campaigns: settlement.campaigns,
      net: Number(settlement.net),
      sha256: settlement.sha256.toString('hex'),
      statement,
      state: paidAt === null ? 'closed' : 'paid',
      reference: settlement.reference,
      closed_at: settlement.closedAt,
      paid_at: paidAt,
    };
  }
}

/** A settlement, as the company sees it whose campaigns it is about. */
export class CompanySettlementDto extends SettlementDto {
  /** It has what the events of the feed after this `seq` say; 0 for the first. */
  @ResponseInteger({ maximum: Number.MAX_SAFE_INTEGER })
  from_seq!: number;

  /** The `seq` of the last event of the feed that it accounts for. */
  @ResponseSequence()
  to_seq!: number;

  static override from(settlement: Settlement, statement: string): CompanySettlementDto {
    return {
      ...SettlementDto.from(settlement, statement),
      from_seq: Number(settlement.fromSeq),
      to_seq: Number(settlement.toSeq),
    };
  }
}

/** What a settlement has of one campaign. */
export class SettlementLineDto {
  @ResponsePostId()
  post_id!: string;

  /** The number of payments and reversals. */
  @ResponseInteger({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  payments!: number;

  /** What was paid, without what was taken back: negative if that is more. */
  @ResponseNumber(SUM)
  net!: number;

  static from({ post_id, payments, net }: SettlementLine): SettlementLineDto {
    return { post_id, payments: Number(payments), net: Number(net) };
  }
}

/** The campaigns of a settlement. */
export class SettlementLinesDto {
  /** Its campaigns, in the order of their first payments. */
  @ResponseList(() => SettlementLineDto, { maximum: PAGE_LIMIT_MAXIMUM })
  items!: SettlementLineDto[];

  /** Send it as `cursor` for the next page of campaigns; `null` on the last page. */
  @NextCursor()
  next_cursor!: string | null;
}

/** A settlement with its campaigns. */
export class ReadSettlementDto extends SettlementLinesDto {
  @ResponseObject(() => SettlementDto)
  settlement!: SettlementDto;
}

/** A settlement with its campaigns, as the company sees it. */
export class CompanyReadSettlementDto extends SettlementLinesDto {
  @ResponseObject(() => CompanySettlementDto)
  settlement!: CompanySettlementDto;
}

/** A line of the file of a settlement. */
export class SettledPaymentDto {
  @ResponsePostId()
  post_id!: string;

  @ResponseId('part')
  participation_id!: string;

  /** The kind of the transfer in the ledger. */
  @ResponseEnum(TRANSFER_KINDS, 'TransferKind')
  kind!: TransferKind;

  /** What was paid; negative if it was taken back. */
  @ResponseNumber({ minimum: -MONEY_MAXIMUM, maximum: MONEY_MAXIMUM })
  amount!: number;

  @ResponseTime()
  paid_at!: Date;
}

const AGAIN = { again: SAME_FILTERS } as const;

export class SettlementPageDto extends PageOf(() => SettlementDto, AGAIN) {}

export class CompanySettlementPageDto extends PageOf(() => CompanySettlementDto, AGAIN) {}
