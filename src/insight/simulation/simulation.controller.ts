import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { SimulateCampaignDto, SimulationDto } from './simulation.dto';
import { SimulationService } from './simulation.service';

@ApiTags('Forecasts')
@Controller('svc/campaign')
export class SimulationController {
  constructor(private readonly simulations: SimulationService) {}

  /**
   * Simulate respondents
   *
   * @remarks Lets made-up respondents begin, answer, and submit or abandon in a test campaign, through
   * the same code as real ones: limits, events, webhooks, the ledger and the list of responses follow.
   * It needs a test key. The same seed has the same respondents, so the same request again, also after
   * an interruption, doubles nobody; another seed brings others.
   */
  @Post('simulate')
  @Heavy()
  @IdempotentInPhases()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @RespondsWith(SimulationDto, 'What became of the respondents.', {
    errors: ['test_key_required', 'campaign_not_found', 'campaign_not_owned'],
  })
  simulateCampaign(
    @Caller() caller: Principal,
    @Body() request: SimulateCampaignDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Phases<SimulationDto, SimulationDto, Envelope<SimulationDto>> {
    const gone = goneSignal(reply);
    return {
      // Many transactions, and none around them all.
      prepare: () => this.simulations.simulate(caller, request, gone),
      work: (simulation) => Promise.resolve(simulation),
      respond: (simulation) => success('Respondents simulated.', simulation),
    };
  }
}
