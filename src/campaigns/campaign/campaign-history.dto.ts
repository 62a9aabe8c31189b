import { ResponseCurrency } from '../../access/company/currency.field';
import { ChangeDto, HistoryPageDto } from '../../platform/event/history.dto';
import type { History } from '../../platform/event/history.service';
import { ResponseList } from '../../platform/openapi/response-fields';
import { PAGE_LIMIT_MAXIMUM } from '../../platform/validation/page-query.dto';

/** A change of a campaign as it was made. */
export class CampaignChangeDto extends ChangeDto {
  /** The currency of the amounts in `changes`. */
  @ResponseCurrency()
  currency!: string;
}

export class CampaignChangePageDto extends HistoryPageDto {
  /** Newest first. */
  @ResponseList(() => CampaignChangeDto, { maximum: PAGE_LIMIT_MAXIMUM })
  items!: CampaignChangeDto[];

  static from({ items, nextCursor, archived }: History, currency: string): CampaignChangePageDto {
    return {
      items: items.map((event) => ({ ...ChangeDto.from(event), currency })),
      next_cursor: nextCursor,
      archived,
    };
  }
}
