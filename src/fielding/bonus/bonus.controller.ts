import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { PaidBonusDto, PayBonusDto } from './bonus.dto';
import { BonusService } from './bonus.service';

@ApiTags('Campaign responses')
@Controller('svc/response')
export class BonusController {
  constructor(private readonly bonuses: BonusService) {}

  /**
   * Pay a bonus
   *
   * @remarks Pays the respondent of a submitted response more than the reward, from what the budget of
   * the campaign has left, also after the campaign has ended; at most 90 days after the submission, and
   * once for a response. The same `bonus_ref` with the same content returns the same bonus and pays
   * nothing again. A reversal takes the bonus back with the reward.
   */
  @Post('bonus')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(PaidBonusDto, 'The bonus.', {
    errors: [
      'participation_not_found',
      'participation_not_submitted',
      'response_erased',
      'response_too_old',
      'bonus_ref_taken',
      'bonus_already_paid',
      'bonus_too_large',
      'bonus_over_budget',
      'balance_low',
      'spending_limit_exceeded',
    ],
  })
  async payBonus(
    @Caller() caller: Principal,
    @Body() request: PayBonusDto,
  ): Promise<Envelope<PaidBonusDto>> {
    const paid = await this.bonuses.pay(caller, request);
    return success('Bonus paid.', PaidBonusDto.from(paid, request.bonus_ref, currencyOf(caller)));
  }
}
