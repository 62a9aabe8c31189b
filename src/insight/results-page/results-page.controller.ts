import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../../platform/protocol/add-route-config';
import { Heavy } from '../../platform/limits/heavy-requests';
import { PublicRoute } from '../../platform/caller/public-route';
import { goneSignal } from '../../platform/protocol/when-closed';
import { sendPage } from '../../platform/site/linked-page';
import { ResultsTurns } from '../results/results-turns.service';
import { resultsCsv } from './results-csv.rules';
import { ResultsLinkService } from './results-link.service';
import { NOT_FOUND, renderError, renderResults } from './results-page';
import { ResultsPageService } from './results-page.service';
import { viewOf } from './view.rules';

type Query = Readonly<Record<string, unknown>>;

/** The pages that results links lead to. */
@Controller('results')
export class ResultsPageController {
  constructor(
    private readonly links: ResultsLinkService,
    private readonly pages: ResultsPageService,
    private readonly turns: ResultsTurns,
  ) {}

  /** Shows the results of a campaign to whoever has the token of a link. */
  @Get(':token')
  @PublicRoute()
  @Heavy()
  @AddRouteConfig({ errorPage: renderError })
  @ApiExcludeEndpoint()
  async show(
    @Req() { params, query }: FastifyRequest<{ Params: { token: string }; Querystring: Query }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const gone = goneSignal(reply);
    const link = await this.links.find(params.token);
    if (link === undefined) {
      return sendPage(reply, NOT_FOUND);
    }
    const view = viewOf(query, link);
    if (query.format === 'csv' && link.show.includes('downloads')) {
      const { results, hidden } = await this.pages.read(link, view, gone);
      const shown = results.questions.filter(({ question }) => !hidden.has(question));
      return sendPage(reply, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${link.postId}-results.csv"`,
        },
        text: (await this.turns.collect(resultsCsv(shown), gone)).join(''),
      });
    }
    return sendPage(reply, renderResults(await this.pages.content(link, view, gone)));
  }

  /** Responds to a link with more after its token. */
  @Get(':token/*')
  @PublicRoute()
  @AddRouteConfig({ errorPage: renderError })
  @ApiExcludeEndpoint()
  refuse(@Res({ passthrough: true }) reply: FastifyReply): string {
    return sendPage(reply, NOT_FOUND);
  }
}
