import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { CampaignGuardrailsService } from '../../campaigns/guardrail/campaign-guardrails.service';
import { CampaignQuotasDto } from '../../campaigns/targeting/quotas.dto';
import { TargetingService } from '../../campaigns/targeting/targeting.service';
import { AddRouteConfig } from '../../platform/protocol/add-route-config';
import { Heavy } from '../../platform/limits/heavy-requests';
import { PublicRoute } from '../../platform/caller/public-route';
import { goneSignal } from '../../platform/protocol/when-closed';
import { RenderedPage, sendPage } from '../../platform/site/linked-page';
import { ResultsTurns } from '../results/results-turns.service';
import { ResultsService } from '../results/results.service';
import { questionSections } from './questions';
import { ResultsLinkService } from './results-link.service';
import { NOT_FOUND, renderError, renderResults } from './results-page';

/** The pages that results links lead to. */
@Controller('results')
export class ResultsPageController {
  constructor(
    private readonly links: ResultsLinkService,
    private readonly campaigns: CampaignService,
    private readonly results: ResultsService,
    private readonly guardrails: CampaignGuardrailsService,
    private readonly turns: ResultsTurns,
    private readonly targeting: TargetingService,
  ) {}

  /** Shows the results of a campaign to whoever has the token of a link. */
  @Get(':token')
  @PublicRoute()
  @Heavy()
  @AddRouteConfig({ errorPage: renderError })
  @ApiExcludeEndpoint()
  async show(
    @Req() { params }: FastifyRequest<{ Params: { token: string } }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return sendPage(reply, await this.pageOf(params.token, goneSignal(reply)));
  }

  /** Responds to a link with more after its token. */
  @Get(':token/*')
  @PublicRoute()
  @AddRouteConfig({ errorPage: renderError })
  @ApiExcludeEndpoint()
  refuse(@Res({ passthrough: true }) reply: FastifyReply): string {
    return sendPage(reply, NOT_FOUND);
  }

  private async pageOf(token: string, gone: AbortSignal): Promise<RenderedPage> {
    const link = await this.links.find(token);
    if (link === undefined) {
      return NOT_FOUND;
    }
    const { companyId, postId, cohorts } = link;
    const query = { cohorts: cohorts?.join() };
    const results = await this.results.read(companyId, postId, query, gone);
    const campaign = await this.campaigns.read(companyId, postId);
    const firings = await this.guardrails.firings(companyId, postId);
    const quotas =
      campaign.targetingVersion === null
        ? []
        : CampaignQuotasDto.of(postId, await this.targeting.quotas(companyId, postId)).quotas;
    const sections = await this.turns.collect(
      questionSections(results.questions, campaign.imageSurvey),
      gone,
    );
    return renderResults({ link, campaign, results, quotas, questionSections: sections, firings });
  }
}
