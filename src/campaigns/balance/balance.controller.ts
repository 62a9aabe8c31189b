import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { BalanceDto } from './balance.dto';
import { BalanceService } from './balance.service';

@ApiTags('Ledger')
@Controller('svc/balance')
export class BalanceController {
  constructor(private readonly balances: BalanceService) {}

  /**
   * Get the balance
   *
   * @remarks What your company has paid in advance, and where it is, at one moment. The operator of the
   * service funds it. Live and test data have a balance each.
   */
  @Get()
  @ApiKeyAuth('ledger:read')
  @RespondsWith(BalanceDto, "Your company's balance.")
  async getBalance(@Caller() caller: Principal): Promise<Envelope<BalanceDto>> {
    const balance = await this.balances.read(caller.callerId);
    return success('Balance found.', BalanceDto.from(balance, currencyOf(caller)));
  }
}
