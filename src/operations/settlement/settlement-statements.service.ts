import { Injectable } from '@nestjs/common';
import { ReceiptsService } from '../../fielding/participations/receipts.service';
import { modeOf } from '../../platform/caller/environment.rules';
import type { Page } from '../../platform/protocol/cursor';
import { SettlementDto, SettlementLineDto } from './settlement.dto';
import type { Settlement } from './settlement.entity';
import type { SettlementLine } from './settlement.types';

/** Says in the header of a statement what it is, so that no receipt is taken for one. */
const TYPE = 'settlement+jwt';

/** How a DTO is made of a settlement and its statement. */
interface Shape<Dto> {
  from(settlement: Settlement, statement: string): Dto;
}

/** Signs what settlements state, with the key of receipts. */
@Injectable()
export class SettlementStatements {
  constructor(private readonly receipts: ReceiptsService) {}

  /** Returns a settlement as clients see it, with its signed statement. */
  print<Dto>(shape: Shape<Dto>, settlement: Settlement): Dto {
    return shape.from(settlement, this.sign(settlement));
  }

  printPage<Dto>(shape: Shape<Dto>, { items, nextCursor }: Page<Settlement>) {
    return { items: items.map((each) => this.print(shape, each)), next_cursor: nextCursor };
  }

  /** Returns a settlement with a page of its campaigns. */
  printWithLines<Dto>(shape: Shape<Dto>, settlement: Settlement, lines: Page<SettlementLine>) {
    return {
      settlement: this.print(shape, settlement),
      items: lines.items.map((line) => SettlementLineDto.from(line)),
      next_cursor: lines.nextCursor,
    };
  }

  /** The same settlement always has the same statement, paid or not. */
  private sign(settlement: Settlement): string {
    const { settlement_id, previous_settlement_id, platform, currency, ...rest } =
      SettlementDto.from(settlement, '');
    const { payments, campaigns, net, sha256, closed_at } = rest;
    const content = {
      mode: modeOf(settlement.companyId),
      settlement_id,
      previous_settlement_id,
      platform,
      currency,
      payments,
      campaigns,
      net,
      sha256,
    };
    return this.receipts.signAs(TYPE, content, Math.floor(closed_at.getTime() / 1000));
  }
}
