import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { LIFE_ERROR_CODES } from '../../campaigns/campaign/campaign.errors';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { ForecastCampaignDto } from './forecast.dto';
import { FORECAST_EXAMPLES } from './forecast.examples';
import { ForecastDto } from './forecast-result.dto';
import { ForecastService } from './forecast.service';

@ApiTags('Forecasts')
@Controller('svc/campaign')
export class ForecastController {
  constructor(private readonly forecasts: ForecastService) {}

  /**
   * Forecast a campaign
   *
   * @remarks What a campaign will cost, before it starts: the service runs it with made-up
   * respondents, thousands of times, by its own rules for places, money and cohorts. `post_id` names
   * a stored campaign; `campaign` is a whole document, of a campaign that need not exist. Nothing is
   * stored. The same request with the same `seed` returns the same numbers.
   */
  @Post('forecast')
  @Heavy()
  @IdempotentInPhases()
  @ApiKeyAuth('campaigns:read')
  @BodyLimit(2 * MIB)
  @ApiBody({ type: ForecastCampaignDto, examples: FORECAST_EXAMPLES })
  @RespondsWith(ForecastDto, 'What the campaign will cost, and how it ends.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'respondents_required',
      'wrong_campaign_type',
      'feedback_not_enabled',
      'questions_fixed',
      'cohort_reward_mismatch',
      'currency_mismatch',
      'document_incomplete',
      ...LIFE_ERROR_CODES,
    ],
  })
  forecastCampaign(
    @Caller() caller: Principal,
    @Body() request: ForecastCampaignDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Phases<ForecastDto, ForecastDto, Envelope<ForecastDto>> {
    const gone = goneSignal(reply);
    return {
      // The work keeps a processor busy, and needs no database connection meanwhile.
      prepare: async () => ForecastDto.from(await this.forecasts.forecast(caller, request, gone)),
      work: (forecast) => Promise.resolve(forecast),
      respond: (forecast) => success('Campaign forecast; nothing was stored.', forecast),
    };
  }
}
