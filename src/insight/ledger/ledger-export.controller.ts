import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { companyOf } from '../../platform/caller/environment.rules';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { exportPlaces } from '../../platform/limits/export-places';
import { Heavy } from '../../platform/limits/heavy-requests';
import { header } from '../../platform/openapi/headers';
import { RespondsWithFile } from '../../platform/openapi/responds-with';
import { sendDownload } from '../../platform/protocol/download';
import { whenClosed } from '../../platform/protocol/when-closed';
import { TRANSFERS_FILE } from './ledger.examples';
import { TransferFilterDto } from './ledger.dto';
import { LedgerExportService } from './ledger-export.service';

@ApiTags('Ledger')
@Controller('svc/ledger')
export class LedgerExportController {
  constructor(private readonly exports: LedgerExportService) {}

  /**
   * Export transfers
   *
   * @remarks All transfers that the list has with these filters, newest first, as one CSV. A company
   * reads at most two exports at once from one instance of the service, and all companies together at
   * most 20.
   */
  @Get('export')
  @Heavy()
  @ApiKeyAuth('ledger:read')
  @RespondsWithFile(TRANSFERS_FILE, 'The transfers.', {
    headers: { 'Content-Disposition': header('ContentDisposition') },
    errors: ['campaign_not_found', 'campaign_not_owned', 'rate_limited'],
  })
  async exportTransfers(
    @Caller() caller: Principal,
    @Query() filters: TransferFilterDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { callerId: companyId } = caller;
    whenClosed(reply.raw, exportPlaces.take(companyOf(companyId)));
    const content = await this.exports.open(companyId, filters, currencyOf(caller));
    return sendDownload(reply, { content, type: 'text/csv', filename: 'transfers.csv' });
  }
}
