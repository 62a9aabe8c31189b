import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Caller, Principal } from '../../platform/caller/principal';
import { Env } from '../../platform/config/env';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { originOf } from '../../platform/protocol/origin-of';
import { ResultsLinkService } from '../results-page/results-link.service';
import {
  CreatedPreviewLinkDto,
  CreatePreviewLinkDto,
  PreviewLinkDto,
  PreviewLinkListQueryDto,
  PreviewLinkPageDto,
  PreviewLinkPathDto,
  RevokePreviewLinkDto,
} from './preview-link.dto';

@ApiTags('Questions')
@Controller('svc/campaign')
export class PreviewLinkController {
  constructor(
    private readonly links: ResultsLinkService,
    private readonly env: Env,
  ) {}

  /**
   * Create a link to a preview
   *
   * @remarks Returns the secret address of a page that shows what the campaign asks, as a respondent
   * sees it: page by page, with conditions, random order, languages and messages. The page stores
   * nothing, and shows the questions as they are when it is opened. It is shown once; create another
   * link if it is lost. A campaign has at most 20 links that work. A new one can take the place of
   * one that has ended.
   */
  @Post('preview-link')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(CreatedPreviewLinkDto, 'The new link to a preview, with its secret address.', {
    errors: ['campaign_not_found', 'campaign_not_owned', 'too_many_preview_links'],
  })
  async createPreviewLink(
    @Caller() { callerId: companyId }: Principal,
    @Body() request: CreatePreviewLinkDto,
    @Req() http: FastifyRequest,
  ): Promise<Envelope<CreatedPreviewLinkDto>> {
    const base = this.env.PUBLIC_URL ?? originOf(http);
    const { link, token } = await this.links.create(companyId, request, 'preview');
    return success('Preview link created. Store its url now; it is not shown again.', {
      ...PreviewLinkDto.from(link),
      url: `${base}/preview/${token}`,
    });
  }

  /**
   * List links to previews
   *
   * @remarks Newest first, also those that have ended while no other has taken their place; never
   * their addresses.
   */
  @Get('preview-link/list')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(PreviewLinkPageDto, "A page of your company's links to previews.", {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async listPreviewLinks(
    @Caller() { callerId: companyId }: Principal,
    @Query() query: PreviewLinkListQueryDto,
  ): Promise<Envelope<PreviewLinkPageDto>> {
    const page = await this.links.list(companyId, query, 'preview');
    return success('Preview links listed.', PreviewLinkPageDto.from(page));
  }

  /**
   * Read a link to a preview
   *
   * @remarks As the list shows it; never its address.
   */
  @Get(':post_id/preview-link/:link_id')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(PreviewLinkDto, 'The link to a preview.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned', 'preview_link_not_found'],
  })
  async getPreviewLink(
    @Caller() { callerId: companyId }: Principal,
    @Param() path: PreviewLinkPathDto,
  ): Promise<Envelope<PreviewLinkDto>> {
    const link = await this.links.findOwned(companyId, path, 'preview');
    return success('Preview link found.', PreviewLinkDto.from(link));
  }

  /**
   * Revoke a link to a preview
   *
   * @remarks Its address stops working at once.
   */
  @Post('preview-link/revoke')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(PreviewLinkDto, 'The link to a preview, now revoked.', {
    errors: ['preview_link_not_found'],
  })
  async revokePreviewLink(
    @Caller() { callerId: companyId }: Principal,
    @Body() { link_id }: RevokePreviewLinkDto,
  ): Promise<Envelope<PreviewLinkDto>> {
    const link = await this.links.revoke(companyId, link_id, 'preview');
    return success('Preview link revoked.', PreviewLinkDto.from(link));
  }
}
