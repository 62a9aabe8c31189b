import { createHash, randomBytes } from 'node:crypto';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { canonicalLanguage } from '../../campaigns/questions/languages.rules';
import { present } from '../../campaigns/questions/presented.rules';
import { QuestionsService } from '../../campaigns/questions/questions.service';
import { PublicRoute } from '../../platform/caller/public-route';
import { BodyLimit, KIB } from '../../platform/limits/body-limit';
import { Heavy } from '../../platform/limits/heavy-requests';
import { AddRouteConfig } from '../../platform/protocol/add-route-config';
import { RenderedPage, sendPage } from '../../platform/site/linked-page';
import { ResultsLinkService } from '../results-page/results-link.service';
import { Form, formOf } from './form.rules';
import { questionnaireOf } from './image-questions.rules';
import { NOT_FOUND, renderError } from './pages';
import { renderPreview } from './preview-page';
import { takeStep } from './steps.rules';

type PageRequest = FastifyRequest<{ Params: { token: string } }>;

const SEED = /^[\da-f]{32}$/;

/**
 * The pages that links to previews lead to. They keep nothing: a form carries the answers from page
 * to page.
 */
@Controller('preview')
export class PreviewPageController {
  constructor(
    private readonly links: ResultsLinkService,
    private readonly questions: QuestionsService,
  ) {}

  /** Shows the first page to whoever has the token of a link. */
  @Get(':token')
  @PublicRoute()
  @Heavy()
  @AddRouteConfig({ errorPage: renderError })
  @ApiExcludeEndpoint()
  async show(
    @Req() { params }: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return sendPage(reply, await this.pageOf(params.token, new Map()));
  }

  /** Shows the page that follows from the answers that were sent. */
  @Post(':token')
  @PublicRoute()
  @Heavy()
  @BodyLimit(256 * KIB)
  @AddRouteConfig({ errorPage: renderError, takesForm: true })
  @ApiExcludeEndpoint()
  async proceed(
    @Req() { params, body }: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const form = body instanceof URLSearchParams ? formOf(body) : new Map<string, string[]>();
    return sendPage(reply, await this.pageOf(params.token, form));
  }

  /** Responds to a link with more after its token. */
  @Get(':token/*')
  @PublicRoute()
  @AddRouteConfig({ errorPage: renderError })
  @ApiExcludeEndpoint()
  refuse(@Res({ passthrough: true }) reply: FastifyReply): string {
    return sendPage(reply, NOT_FOUND);
  }

  private async pageOf(token: string, form: Form): Promise<RenderedPage> {
    const link = await this.links.find(token, 'preview');
    if (link === undefined) {
      return NOT_FOUND;
    }
    const current = await this.questions.current(link.companyId, link.postId);
    const { set, pictures } = questionnaireOf(current.campaign, current.set);
    const one = (name: string) => form.get(name)?.[0] ?? '';
    const seed = SEED.test(one('seed')) ? one('seed') : randomBytes(16).toString('hex');
    const wanted = canonicalLanguage(one('language')) ?? link.language ?? undefined;
    const presented = present(set, wanted, (name) =>
      createHash('sha256').update(`${seed} ${name}`).digest().subarray(0, 16),
    );
    const { language, translations } = set;
    return renderPreview({
      title: current.campaign.title,
      presented,
      pictures,
      languages: [...(language === null ? [] : [language]), ...Object.keys(translations ?? {})],
      place: takeStep(set, presented, form),
      form,
      seed,
    });
  }
}
