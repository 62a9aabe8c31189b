import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PlatformAuth } from '../../access/platform-key/platform-key.guard';
import { companyOf, queueNameOf } from '../../platform/caller/environment.rules';
import { Caller, Principal } from '../../platform/caller/principal';
import { exportPlaces } from '../../platform/limits/export-places';
import { Heavy } from '../../platform/limits/heavy-requests';
import { header } from '../../platform/openapi/headers';
import { RespondsWith, RespondsWithFile } from '../../platform/openapi/responds-with';
import { sendDownload } from '../../platform/protocol/download';
import { Envelope, success } from '../../platform/protocol/envelope';
import { whenClosed } from '../../platform/protocol/when-closed';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import {
  ReadSettlementDto,
  SettledPaymentDto,
  SettlementDto,
  SettlementListQueryDto,
  SettlementPageDto,
  SettlementPathDto,
} from './settlement.dto';
import { SETTLEMENT_FILE } from './settlement.examples';
import { SettlementFiles } from './settlement-file.service';
import { SettlementStatements } from './settlement-statements.service';
import { Owner, SettlementsService } from './settlements.service';

/** A platform has its settlements with all companies, and a test key those of its test data. */
const ownerOf = ({ platform, callerId }: Principal): Owner =>
  platform === undefined ? { companyId: callerId } : { platform };

@ApiTags('Fielding')
@Controller('svc/fielding/settlement')
export class PlatformSettlementsController {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly statements: SettlementStatements,
    private readonly files: SettlementFiles,
  ) {}

  /**
   * List settlements
   *
   * @remarks What your respondents were paid, newest first: a settlement for each company and range of
   * its log that the operator has closed. A closed settlement never changes: what is taken back later is
   * in the next one.
   */
  @Get('list')
  @PlatformAuth('settlements:read')
  @RespondsWith(SettlementPageDto, 'A page of your settlements.', { input: 'parameters' })
  async listSettlements(
    @Caller() caller: Principal,
    @Query() query: SettlementListQueryDto,
  ): Promise<Envelope<SettlementPageDto>> {
    const page = await this.settlements.list(ownerOf(caller), query);
    return success('Settlements listed.', this.statements.printPage(SettlementDto, page));
  }

  /**
   * Read a settlement
   *
   * @remarks A settlement, with a page of its campaigns. A settlement of another platform is not found.
   */
  @Get(':settlement_id')
  @PlatformAuth('settlements:read')
  @RespondsWith(ReadSettlementDto, 'The settlement, with a page of its campaigns.', {
    input: 'parameters',
    errors: ['settlement_not_found'],
  })
  async getSettlement(
    @Caller() caller: Principal,
    @Param() { settlement_id }: SettlementPathDto,
    @Query() query: PageQueryDto,
  ): Promise<Envelope<ReadSettlementDto>> {
    const found = await this.settlements.find(ownerOf(caller), settlement_id);
    const lines = await this.settlements.lines(found, query);
    return success(
      'Settlement found.',
      this.statements.printWithLines(SettlementDto, found, lines),
    );
  }

  /**
   * Download a settlement
   *
   * @remarks The file that the `sha256` of the settlement is of: a line for each payment and reversal, as
   * NDJSON. It is the same bytes each time. If the service finds that they would differ, it cuts the
   * response off before its end.
   */
  @Get(':settlement_id/file')
  @Heavy()
  @PlatformAuth('settlements:read')
  @ApiExtraModels(SettledPaymentDto)
  @RespondsWithFile(SETTLEMENT_FILE, 'The payments.', {
    headers: { 'Content-Disposition': header('ContentDisposition') },
    errors: ['settlement_not_found', 'rate_limited'],
  })
  async downloadSettlement(
    @Caller() caller: Principal,
    @Param() { settlement_id }: SettlementPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { callerId } = caller;
    whenClosed(reply.raw, exportPlaces.take(companyOf(callerId)));
    const found = await this.settlements.find(ownerOf(caller), settlement_id);
    const content = await this.files.open(found, queueNameOf(callerId));
    const filename = `${settlement_id}.ndjson`;
    return sendDownload(reply, { content, type: 'application/x-ndjson', filename });
  }
}
