import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { BodyLimit, KIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BACKTEST_EXAMPLES, BacktestDto, BacktestGuardrailDto } from './backtest.dto';
import { BacktestService } from './backtest.service';

@ApiTags('Guardrails')
@Controller('svc/guardrail')
export class BacktestController {
  constructor(private readonly backtests: BacktestService) {}

  /**
   * Backtest a guardrail
   *
   * @remarks What a guardrail would have done if it had existed all along: for each campaign whether
   * and where it would have fired, and what came afterwards. It reads the log by the rules of live
   * guardrails, and changes nothing.
   */
  @Post('backtest')
  @BodyLimit(128 * KIB)
  @Heavy()
  @IdempotentInPhases()
  @ApiKeyAuth('campaigns:read', 'responses:read')
  @ApiBody({ type: BacktestGuardrailDto, examples: BACKTEST_EXAMPLES })
  @RespondsWith(BacktestDto, 'What the guardrail would have done to a page of campaigns.', {
    errors: [
      'guardrail_not_found',
      'campaign_not_found',
      'campaign_not_owned',
      'feed_position_unknown',
    ],
  })
  backtestGuardrail(
    @Caller() { callerId }: Principal,
    @Body() request: BacktestGuardrailDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Phases<BacktestDto, BacktestDto, Envelope<BacktestDto>> {
    const gone = goneSignal(reply);
    return {
      // Reading the log can take long, and needs no database connection between two statements.
      prepare: () => this.backtests.backtest(callerId, request, gone),
      work: (backtest) => Promise.resolve(backtest),
      respond: (backtest) => success('Guardrail backtested; nothing was changed.', backtest),
    };
  }
}
