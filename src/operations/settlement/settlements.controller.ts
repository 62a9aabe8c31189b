import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Caller, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import {
  CompanyReadSettlementDto,
  CompanySettlementDto,
  CompanySettlementPageDto,
  SettlementListQueryDto,
  SettlementPathDto,
} from './settlement.dto';
import { SettlementStatements } from './settlement-statements.service';
import { SettlementsService } from './settlements.service';

@ApiTags('Ledger')
@Controller('svc/settlement')
export class SettlementsController {
  constructor(
    private readonly settlements: SettlementsService,
    private readonly statements: SettlementStatements,
  ) {}

  /**
   * List your company's settlements
   *
   * @remarks What respondents of platforms were paid in your campaigns, as the operator settles it with
   * the platforms, newest first. A settlement has what the events of the feed from `from_seq` + 1 to
   * `to_seq` say.
   */
  @Get('list')
  @ApiKeyAuth('ledger:read')
  @RespondsWith(CompanySettlementPageDto, "A page of your company's settlements.", {
    input: 'parameters',
  })
  async listCompanySettlements(
    @Caller() { callerId: companyId }: Principal,
    @Query() query: SettlementListQueryDto,
  ): Promise<Envelope<CompanySettlementPageDto>> {
    const page = await this.settlements.list({ companyId }, query);
    return success(
      'Settlements of your company listed.',
      this.statements.printPage(CompanySettlementDto, page),
    );
  }

  /**
   * Read a settlement of your company
   *
   * @remarks A settlement, with a page of its campaigns.
   */
  @Get(':settlement_id')
  @ApiKeyAuth('ledger:read')
  @RespondsWith(
    CompanyReadSettlementDto,
    'The settlement about your campaigns, with a page of them.',
    {
      input: 'parameters',
      errors: ['settlement_not_found'],
    },
  )
  async getCompanySettlement(
    @Caller() { callerId: companyId }: Principal,
    @Param() { settlement_id }: SettlementPathDto,
    @Query() query: PageQueryDto,
  ): Promise<Envelope<CompanyReadSettlementDto>> {
    const found = await this.settlements.find({ companyId }, settlement_id);
    const lines = await this.settlements.lines(found, query);
    return success(
      'Settlement of your company found.',
      this.statements.printWithLines(CompanySettlementDto, found, lines),
    );
  }
}
