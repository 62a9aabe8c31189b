import { Injectable } from '@nestjs/common';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { CampaignGuardrailsService } from '../../campaigns/guardrail/campaign-guardrails.service';
import { CampaignQuotasDto } from '../../campaigns/targeting/quotas.dto';
import { TargetingService } from '../../campaigns/targeting/targeting.service';
import { ApiError } from '../../platform/protocol/api-error';
import { CrosstabService } from '../crosstab/crosstab.service';
import { ShownTable, withoutSmallBases } from '../crosstab/suppression.rules';
import { TextKind, TypedTextsService } from '../responses/typed-texts.service';
import type { ResultsDto } from '../results/results.dto';
import { ResultsTurns } from '../results/results-turns.service';
import { ResultsService } from '../results/results.service';
import { WavesService } from '../waves/waves.service';
import { CrossTable } from './cross-table';
import { columnChoices, offeredTable } from './cross-tables.rules';
import { groupsToShow } from './cohort-filter.rules';
import { questionSections } from './questions';
import type { ResultsLink } from './results-link.entity';
import type { PageContent } from './results-page';
import type { Texts } from './texts';
import { cohortsOf, Table, View } from './view.rules';
import { Waves } from './waves';

/** The results that a view of a page shows. */
export interface ViewedResults {
  results: ResultsDto;
  view: View;
  /** Cohorts of the link that are too small to be shown by themselves. */
  small: number[];
  /** Questions to which too few of the chosen cohort gave an answer, by their positions. */
  hidden: ReadonlySet<number>;
}

/** Reads what the page of a link shows. */
@Injectable()
export class ResultsPageService {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly results: ResultsService,
    private readonly crosstabs: CrosstabService,
    private readonly waves: WavesService,
    private readonly texts: TypedTextsService,
    private readonly guardrails: CampaignGuardrailsService,
    private readonly targeting: TargetingService,
    private readonly turns: ResultsTurns,
  ) {}

  /**
   * Reads the results of a view, or of all cohorts of the link if the one that the view names is
   * too small to be shown by itself.
   *
   * @param gone ends the work
   */
  async read(link: ResultsLink, view: View, gone: AbortSignal): Promise<ViewedResults> {
    const cohorts = view.cohort === null ? link.cohorts : [view.cohort];
    const { results, answered } = await this.results.readWithBases(
      link.companyId,
      link.postId,
      { cohorts: cohorts?.join() },
      gone,
    );
    const offered = cohortsOf(link);
    const smallOf = (sizes: readonly number[]) => {
      const isShown = groupsToShow(offered.map((cohort) => sizes[cohort - 1] ?? 0));
      return offered.filter((_, index) => isShown[index] === false);
    };
    const small = smallOf(results.cohorts.map(({ responses }) => responses));
    const { cohort } = view;
    if (cohort === null) {
      return { results, view, small, hidden: new Set() };
    }
    if (small.includes(cohort)) {
      return this.read(link, { ...view, cohort: null }, gone);
    }
    const isHidden = ({ question }: { question: number }) =>
      smallOf(answered(question)).includes(cohort);
    const hidden = new Set(results.questions.filter(isHidden).map(({ question }) => question));
    return { results, view, small, hidden };
  }

  /** Reads all that the page of a link shows. */
  async content(link: ResultsLink, wanted: View, gone: AbortSignal): Promise<PageContent> {
    const { companyId, postId } = link;
    const { results, view: found, small, hidden } = await this.read(link, wanted, gone);
    const view = { ...found, table: null, isComparing: false };
    const campaign = await this.campaigns.read(companyId, postId);
    const firings = await this.guardrails.firings(companyId, postId);
    const quotas =
      campaign.targetingVersion === null
        ? []
        : CampaignQuotasDto.of(postId, await this.targeting.quotas(companyId, postId)).quotas;
    const page = { link, view, small, campaign, results, quotas, firings };
    const columns = columnChoices(results.questions, quotas);
    const table = offeredTable(found, results.questions, columns);
    if (table !== undefined) {
      const shown = await this.tableOf(link, table, gone);
      const { questions } = results;
      const drawn = CrossTable({ view, table, questions, columns, shown });
      return { ...page, questionSections: [], table: drawn };
    }
    if (found.isComparing && link.compare !== null) {
      const query = { compare: link.compare, cohorts: link.cohorts?.join() };
      const waves = await this.waves.read(companyId, postId, query, gone);
      const earlier = await this.campaigns.read(companyId, link.compare);
      const drawn = Waves({ view, earlier, waves });
      return { ...page, questionSections: [], table: drawn };
    }
    const texts = link.show.includes('texts')
      ? await this.typed(link, { campaignId: campaign.id, results })
      : undefined;
    const { imageSurvey } = campaign;
    const sections = await this.turns.collect(
      questionSections(results.questions, {
        imageSurvey,
        view,
        hasTables: link.show.includes('crosstabs'),
        texts,
        hidden,
      }),
      gone,
    );
    return { ...page, questionSections: sections, table: null };
  }

  /** Reads a table, without what few respondents answered; `null` if it would be too large. */
  private async tableOf(
    { companyId, postId, cohorts }: ResultsLink,
    table: Table,
    gone: AbortSignal,
  ): Promise<ShownTable | null> {
    try {
      const query = { ...table, cohorts: cohorts?.join() };
      // The route of the page has a turn of heavy work.
      const turn = { hasTurn: true };
      return withoutSmallBases(await this.crosstabs.read(companyId, postId, query, gone, turn));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'crosstab_not_possible') {
        return null;
      }
      throw error;
    }
  }

  /** The texts of each question, by its position. */
  private async typed(
    { companyId }: ResultsLink,
    { campaignId, results }: { campaignId: string; results: ResultsDto },
  ): Promise<Map<number, Texts>> {
    const { version, questions, cohorts_counted: cohorts } = results;
    const open = questions.filter(({ type }) => type === 'text' || type === 'descriptive');
    const byQuestion = new Map<number, Partial<Record<TextKind, string[]>>>();
    if (version === null) {
      return byQuestion;
    }
    const newest = await this.texts.newest(companyId, {
      campaignId,
      version,
      cohorts,
      open: open.map(({ question }) => question),
    });
    for (const { question, kind, text } of newest) {
      const ofQuestion = byQuestion.get(question) ?? {};
      byQuestion.set(question, ofQuestion);
      (ofQuestion[kind] ??= []).push(text);
    }
    return byQuestion;
  }
}
