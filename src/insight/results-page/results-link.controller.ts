import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Env } from '../../platform/config/env';
import { Envelope, success } from '../../platform/protocol/envelope';
import { originOf } from '../../platform/protocol/origin-of';
import { Caller, Principal } from '../../platform/caller/principal';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { RespondsWith } from '../../platform/openapi/responds-with';
import {
  CreatedResultsLinkDto,
  CreateResultsLinkDto,
  ResultsLinkDto,
  ResultsLinkListQueryDto,
  ResultsLinkPageDto,
  ResultsLinkPathDto,
  RevokeResultsLinkDto,
} from './results-link.dto';
import { ResultsLinkService } from './results-link.service';

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class ResultsLinkController {
  constructor(
    private readonly links: ResultsLinkService,
    private readonly env: Env,
  ) {}

  /**
   * Create a link to a results page
   *
   * @remarks Returns the secret address of a page with the campaign's results, for people without an
   * API key. `show` says whether it has texts that respondents typed, cross tabs and downloads. It is
   * shown once; create another link if it is lost. A campaign has at most 20 links that work. A new one can take the place of one that
   * has ended.
   */
  @Post('results-link')
  @Idempotent()
  @ApiKeyAuth('responses:read', 'campaigns:read')
  @RespondsWith(CreatedResultsLinkDto, 'The new link, with its secret address.', {
    errors: ['campaign_not_found', 'campaign_not_owned', 'too_many_results_links'],
  })
  async createResultsLink(
    @Caller() { callerId: companyId }: Principal,
    @Body() request: CreateResultsLinkDto,
    @Req() http: FastifyRequest,
  ): Promise<Envelope<CreatedResultsLinkDto>> {
    const base = this.env.PUBLIC_URL ?? originOf(http);
    const { link, token } = await this.links.create(companyId, request);
    return success('Link created. Store its url now; it is not shown again.', {
      ...ResultsLinkDto.from(link),
      url: `${base}/results/${token}`,
    });
  }

  /**
   * List links to results pages
   *
   * @remarks Newest first, also those that have ended while no other has taken their place; never
   * their addresses.
   */
  @Get('results-link/list')
  @ApiKeyAuth('responses:read')
  @RespondsWith(ResultsLinkPageDto, "A page of your company's links.", {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async listResultsLinks(
    @Caller() { callerId: companyId }: Principal,
    @Query() query: ResultsLinkListQueryDto,
  ): Promise<Envelope<ResultsLinkPageDto>> {
    const page = await this.links.list(companyId, query);
    return success('Links listed.', ResultsLinkPageDto.from(page));
  }

  /**
   * Read a link to a results page
   *
   * @remarks As the list shows it; never its address.
   */
  @Get(':post_id/results-link/:link_id')
  @ApiKeyAuth('responses:read')
  @RespondsWith(ResultsLinkDto, 'The link.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned', 'results_link_not_found'],
  })
  async getResultsLink(
    @Caller() { callerId: companyId }: Principal,
    @Param() path: ResultsLinkPathDto,
  ): Promise<Envelope<ResultsLinkDto>> {
    const link = await this.links.findOwned(companyId, path);
    return success('Link found.', ResultsLinkDto.from(link));
  }

  /**
   * Revoke a link to a results page
   *
   * @remarks Its address stops working at once.
   */
  @Post('results-link/revoke')
  @Idempotent()
  @ApiKeyAuth('responses:read')
  @RespondsWith(ResultsLinkDto, 'The link, now revoked.', { errors: ['results_link_not_found'] })
  async revokeResultsLink(
    @Caller() { callerId: companyId }: Principal,
    @Body() { link_id }: RevokeResultsLinkDto,
  ): Promise<Envelope<ResultsLinkDto>> {
    const link = await this.links.revoke(companyId, link_id);
    return success('Link revoked.', ResultsLinkDto.from(link));
  }
}
