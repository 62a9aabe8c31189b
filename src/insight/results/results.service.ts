import { Injectable } from '@nestjs/common';
import type { Margin } from '../../campaigns/campaign/campaign.entity';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { CampaignGuardrailsService } from '../../campaigns/guardrail/campaign-guardrails.service';
import type { SurveyFormat } from '../../campaigns/campaign/campaign.types';
import type { ImageSurvey } from '../../campaigns/campaign/image-survey.rules';
import type { CampaignProgressDto } from '../../campaigns/campaign/campaign-progress.dto';
import { NO_PROGRESS } from '../../campaigns/campaign/progress.columns';
import { ApiError, serviceUnavailable } from '../../platform/protocol/api-error';
import type { Question } from '../../campaigns/questions/question.types';
import { FoldService } from './fold.service';
import { marginsNotPossible, planMargins, weighToMargins } from './margins.rules';
import { questionResults } from './question-results.rules';
import { ResultsDto, ResultsQueryDto } from './results.dto';
import { MARGINS } from './results.fields';
import { CAMPAIGN, TALLY } from './results.statements';
import { ResultsTurns } from './results-turns.service';
import type { CampaignResults } from './results.types';
import { cellsOf, findTabulation, Tabulation } from './tabulation.rules';
import { ALL, ByCohort, countingOf, Tallied, TallyRow } from './tally.rules';
import { CountedRow, positionOf } from './tally.columns';
import { Timeline } from './timeline.rules';
import type { StoredId } from '../../platform/database/identifiers';

interface CampaignRow {
  id: string;
  currency: string;
  format: SurveyFormat | null;
  image_survey: ImageSurvey | null;
  version: number | null;
  questions: Question[] | null;
  progress: CampaignProgressDto | null;
  /** `null` if the query names no quota, or none of the campaign. */
  cell: number | null;
  margins: Margin[] | null;
  tabulations: Tabulation[] | null;
}

/** The version of what is about the whole campaign, and of responses without questions. */
const WHOLE = 0;

/** What is about the whole campaign, whatever the version. */
const isWhole = ({ kind }: TallyRow) => kind === 'hour' || kind === 'product';

/**
 * The margins of a campaign, and the cells of the tally that have them.
 *
 * @throws ApiError `margins_not_possible`, or `service_unavailable` while they are being counted
 */
function marginsOf({ margins, questions, tabulations }: CampaignRow, quota: string | undefined) {
  if (quota !== undefined) {
    throw marginsNotPossible('quota', 'is not possible together with weights=margins');
  }
  const planned = planMargins(margins, questions);
  const tabulation = findTabulation(
    tabulations,
    planned.map(({ variable }) => variable),
  );
  if (tabulation === undefined) {
    throw serviceUnavailable('The margins are being counted. Try again shortly.', MARGINS_RETRY);
  }
  return { planned, cells: cellsOf(tabulation) };
}

/** Seconds after which margins that are being counted are read again. */
const MARGINS_RETRY = 5;

@Injectable()
export class ResultsService {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly fold: FoldService,
    private readonly turns: ResultsTurns,
    private readonly guardrails: CampaignGuardrailsService,
  ) {}

  /**
   * Reads what the responses of a campaign add up to. Its cost does not grow with their number.
   *
   * @param gone ends the work
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `question_set_not_found`,
   *   `quota_not_found`, `margins_not_possible`, `service_unavailable` while margins are being
   *   counted, or that or `request_timeout` if it was interrupted
   */
  async read(
    companyId: StoredId,
    postId: string,
    query: ResultsQueryDto,
    gone: AbortSignal,
  ): Promise<ResultsDto> {
    return (await this.readWithBases(companyId, postId, query, gone)).results;
  }

  /**
   * The same, and how many of each cohort answered each question, by its position: of all five,
   * whatever cohorts are counted.
   */
  async readWithBases(
    companyId: StoredId,
    postId: string,
    query: ResultsQueryDto,
    gone: AbortSignal,
  ): Promise<{ results: ResultsDto; answered: (question: number) => ByCohort }> {
    const counted = await this.count(companyId, postId, query, gone);
    const completing = await this.guardrails.completing(companyId, postId);
    const questions = await this.turns.collect(questionResults(counted), gone);
    const { tallied, imageSurvey } = counted;
    return {
      results: ResultsDto.from(counted, questions, completing),
      answered: (question) =>
        imageSurvey === null ? tallied.of('answered', question) : tallied.of('counted'),
    };
  }

  /** Counts the responses of a campaign, as `read` does. */
  async count(
    companyId: StoredId,
    postId: string,
    { version, cohorts, weights, quota }: ResultsQueryDto,
    gone: AbortSignal,
  ): Promise<CampaignResults> {
    const read = await this.fold.catchUp(companyId, async (manager, unnumbered) => {
      const [campaign] = await manager.query<(CampaignRow | undefined)[]>(CAMPAIGN, [
        companyId,
        postId,
        version ?? null,
        quota ?? null,
        weights === MARGINS,
      ]);
      if (campaign === undefined) {
        return undefined;
      }
      const counted = campaign.version ?? WHOLE;
      const margins = weights === MARGINS ? marginsOf(campaign, quota) : null;
      const cells = margins?.cells ?? [campaign.cell ?? ALL];
      const rows = await manager.query<CountedRow[]>(TALLY, [
        companyId,
        campaign.id,
        [...new Set([WHOLE, counted])],
        [...new Set([ALL, ...cells])],
        cells,
      ]);
      return { campaign, counted, margins, rows, unnumbered };
    });
    if (read === undefined) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const { campaign, counted, margins, rows, unnumbered } = read;
    if (version !== undefined && campaign.version === null) {
      throw new ApiError('question_set_not_found', `${postId} has no question set ${version}.`);
    }
    if (quota !== undefined && campaign.cell === null) {
      throw new ApiError('quota_not_found', `${postId} has no quota ${quota}.`);
    }
    const position = positionOf(rows, companyId, unnumbered);
    const counting = countingOf({ cohorts, weights: weights === MARGINS ? undefined : weights });
    const cells = new Map<number, Tallied>();
    const tallyOf = (cell: number) => {
      const tallied = cells.get(cell) ?? new Tallied(counting);
      cells.set(cell, tallied);
      return tallied;
    };
    const whole = tallyOf(ALL);
    await this.turns.forEach(rows, gone, (row) => {
      if (row.cell !== null && (row.version === counted || isWhole(row))) {
        tallyOf(row.cell).add(row);
      }
    });
    const joint = new Map([...cells].filter(([cell]) => cell !== ALL));
    const weighted = margins && weighToMargins(margins.planned, joint, counting);
    const unweighted = margins === null ? tallyOf(campaign.cell ?? ALL) : whole;
    const timeline = new Timeline(whole.keys('hour', 'submitted'));
    await this.turns.forEach(whole.totals('hour', 'submitted'), gone, ([hour, responses]) => {
      timeline.addSubmitted(hour, responses);
    });
    await this.turns.forEach(whole.totals('hour', 'paid'), gone, ([hour, amount]) => {
      timeline.addSpent(hour, amount);
    });
    return {
      postId,
      currency: campaign.currency,
      version: campaign.version,
      ...position,
      format: campaign.format,
      questions: campaign.questions,
      imageSurvey: campaign.image_survey,
      quota: quota ?? null,
      counting,
      tallied: weighted?.tallied ?? unweighted,
      unweighted,
      margins: weighted?.result ?? null,
      whole,
      timeline: timeline.periods(),
      progress: campaign.progress ?? NO_PROGRESS,
    };
  }
}
