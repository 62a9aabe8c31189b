import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  CampaignResponseDto,
  ResponseListQueryDto,
  ResponsePageDto,
  ResponsePathDto,
} from './responses.dto';
import { ResponsesService } from './responses.service';

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class ResponsesController {
  constructor(private readonly responses: ResponsesService) {}

  /**
   * List responses
   *
   * @remarks What respondents submitted, newest first, with the question set and the rewards that each
   * was promised. A page ends before its answers exceed 1 MiB and looks at no more than 5,000 responses,
   * so it can have fewer items than `limit`, or none, although there is a next page.
   */
  @Get(':post_id/responses')
  @Heavy()
  @ApiKeyAuth('responses:read')
  @RespondsWith(ResponsePageDto, "A page of the campaign's responses.", {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async listResponses(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() query: ResponseListQueryDto,
  ): Promise<Envelope<ResponsePageDto>> {
    const page = await this.responses.list(caller.callerId, post_id, query);
    return success('Responses listed.', ResponsePageDto.from(page, currencyOf(caller)));
  }

  /**
   * Read a response
   *
   * @remarks As the list has it. A participation without answers is no response.
   */
  @Get(':post_id/responses/:participation_id')
  @ApiKeyAuth('responses:read')
  @RespondsWith(CampaignResponseDto, 'The response.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned', 'participation_not_found'],
  })
  async getResponse(
    @Caller() caller: Principal,
    @Param() { post_id, participation_id }: ResponsePathDto,
  ): Promise<Envelope<CampaignResponseDto>> {
    const response = await this.responses.find(caller.callerId, post_id, participation_id);
    return success('Response found.', CampaignResponseDto.from(response, currencyOf(caller)));
  }
}
