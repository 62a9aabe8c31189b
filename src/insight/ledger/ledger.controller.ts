import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  DifferenceDto,
  ReconcileQueryDto,
  ReconciliationDto,
  TransferListQueryDto,
  TransferPageDto,
} from './ledger.dto';
import { LedgerService } from './ledger.service';
import { ReconciliationService } from './reconciliation.service';

@ApiTags('Ledger')
@Controller('svc/ledger')
export class LedgerController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly reconciliations: ReconciliationService,
  ) {}

  /**
   * List transfers
   *
   * @remarks Every movement of money, newest first. A transfer is never changed; those of campaigns that
   * are over can be in an archive of the operator, which `archived` says.
   */
  @Get('list')
  @ApiKeyAuth('ledger:read')
  @RespondsWith(TransferPageDto, "A page of your company's transfers.", {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async listTransfers(
    @Caller() caller: Principal,
    @Query() query: TransferListQueryDto,
  ): Promise<Envelope<TransferPageDto>> {
    const page = await this.ledger.list(caller.callerId, query);
    const listed = TransferPageDto.from(page, currencyOf(caller));
    return success('Transfers listed.', { ...listed, archived: page.archived });
  }

  /**
   * Reconcile the ledger
   *
   * @remarks Compares the transfers and the counters of your campaigns with the participations,
   * each page at one moment. It names every difference; there must be none. Large ledgers, and large
   * campaigns, take several pages.
   */
  @Get('reconcile')
  @Heavy()
  @ApiKeyAuth('ledger:read')
  @RespondsWith(ReconciliationDto, 'What was compared, and what disagrees.', {
    input: 'parameters',
  })
  async reconcileLedger(
    @Caller() caller: Principal,
    @Query() { cursor }: ReconcileQueryDto,
  ): Promise<Envelope<ReconciliationDto>> {
    const { checked, differences, nextCursor } = await this.reconciliations.reconcile(
      caller.callerId,
      cursor,
    );
    return success('Ledger reconciled.', {
      checked,
      currency: currencyOf(caller),
      differences: differences.map((difference) => DifferenceDto.from(difference)),
      next_cursor: nextCursor,
    });
  }
}
